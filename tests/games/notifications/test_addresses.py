"""URLs and addresses that webhooks are never sent to (SSRF protection)."""

import ipaddress
import socket
from threading import Event
from threading import enumerate as enumerate_threads
from typing import Any

import pytest

from games.notifications import http_client
from games.notifications.http_client import (
    DeliveryFailed,
    InvalidAddress,
    ParsedUrl,
    check_url,
    is_public,
    parse_url,
    resolve,
)

PRIVATE = (
    *(
        str(ipaddress.IPv4Address(0)),
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.1",
    ),
    *("127.9.9.9", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1"),
    *("192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9"),
    *("224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16"),
    *("::", "::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::127.0.0.1", "::8.8.8.8", "64:ff9b::808:808"),
    *("64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:db8::1"),
    *("2002:808:808::1", "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1"),
    *("fe80::1%eth0", "2a00:1450::1%1", "fec0::1", "ff02::1", "4000::1"),
)
PUBLIC = ("9.9.9.9", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "223.255.255.1")
PUBLIC_IPV6 = ("2001:4860:4860::8888", "2606:4700::1111", "2a00:1450:4001::1", "2620:fe::fe")


@pytest.mark.parametrize("address", PRIVATE)
def test_private_address_is_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", (*PUBLIC, *PUBLIC_IPV6))
def test_public_address_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_embedded_ipv4_address_is_not_public(address: str) -> None:
    number = int(ipaddress.IPv4Address(address))
    for prefix in ("::ffff:0:0", "64:ff9b::", "::"):
        assert not is_public(ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) + number))
    assert not is_public(ipaddress.IPv6Address((0x2002 << 112) + (number << 80)))


@pytest.mark.parametrize(
    "url",
    (
        "",
        "bots.example/hook",
        "//bots.example/hook",
        "http://bots.example/hook",
        "ftp://bots.example/",
        "file:///etc/passwd",
        "gopher://bots.example/",
        "https://",
        "https:///hook",
        "https://:443/",
        "https://user@bots.example/",
        "https://user:password@bots.example/",
        "https://@bots.example/",
        "https://bots.example/#part",
        "https://bots.example:80/",
        "https://bots.example:22/",
        "https://bots.example:0/",
        "https://bots.example:65536/",
        "https://bots.example:x/",
        "https://bots.example\\@127.0.0.1/",
        "https://bots example/",
        "https://bots.example/a b",
        "https://bots.example/\r\nHost: other",
        "https://b\u00f6ts.example/",
        "https://bots_example\u3002com/",
        "https://-bots.example/",
        "https://bots.example-/",
        "https://127.0.0.1/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[fe80::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[bots.example]/",
        "https://[::1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.1/",
        "https://127.1/",
        "https://0177.0.0.1/",
        "https://017700000001/",
        "https://127.0.0.1./",
        "https://0/",
        "https://0.0.0.0/",
        "https://192.168.1.1/",
        "https://168.63.129.16/",
        "https://100.100.100.200/",
        "https://[::]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[fd00:ec2::254]/",
        "https://[fe80::1]/",
        "https://localhost/",
        "https://metadata/",
        "https://bots.example./",
        "https://bots.example:8080/",
        "https://bots.example%2eevil/",
    ),
)
def test_invalid_url_is_rejected(url: str) -> None:
    with pytest.raises(InvalidAddress):
        parse_url(url)
    with pytest.raises(InvalidAddress):
        check_url(url)


@pytest.mark.parametrize(
    ("url", "parsed"),
    (
        ("https://bots.example", ParsedUrl("https", "bots.example", 443, "/")),
        ("https://Bots.Example:8443/a/b?c=d", ParsedUrl("https", "bots.example", 8443, "/a/b?c=d")),
        ("https://9.9.9.9/", ParsedUrl("https", "9.9.9.9", 443, "/")),
        ("https://[2620:fe::fe]/", ParsedUrl("https", "2620:fe::fe", 443, "/")),
        ("HTTPS://xn--bts-sna.example/%20", ParsedUrl("https", "xn--bts-sna.example", 443, "/%20")),
    ),
)
def test_url_is_parsed(url: str, parsed: ParsedUrl) -> None:
    assert parse_url(url) == parsed


def stub_dns(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """Resolve every name to these addresses."""

    def getaddrinfo(_: str, port: int, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answer, port)) for answer in answers]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


def test_resolve_returns_the_first_address(monkeypatch: pytest.MonkeyPatch) -> None:
    stub_dns(monkeypatch, "9.9.9.9", "1.1.1.1")
    assert resolve(parse_url("https://bots.example")) == "9.9.9.9"


@pytest.mark.parametrize("address", PRIVATE)
def test_name_with_any_private_address_is_rejected(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    parsed = parse_url("https://bots.example")
    for answers in ((address,), ("9.9.9.9", address), (address, "9.9.9.9")):
        stub_dns(monkeypatch, *answers)
        with pytest.raises(DeliveryFailed, match="forbidden_address"):
            resolve(parsed)


@pytest.mark.parametrize("host", ("2130706433", "0x7f.1", "127.1", "017700000001", "localhost"))
def test_alternative_notations_of_loopback_are_rejected(host: str) -> None:
    with pytest.raises(DeliveryFailed, match=r"forbidden_address|unknown_host"):
        resolve(ParsedUrl("https", host, 443, "/"))


@pytest.mark.parametrize("address", PRIVATE)
def test_name_with_a_private_address_is_rejected_when_it_is_stored(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    for answers in ((address,), ("9.9.9.9", address)):
        stub_dns(monkeypatch, *answers)
        with pytest.raises(InvalidAddress):
            check_url("https://bots.example/hook")


def test_name_that_cannot_be_resolved_is_accepted_and_judged_when_it_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def getaddrinfo(*_: object, **__: object) -> list[Any]:
        raise socket.gaierror(-2, "no")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    check_url("https://bots.example/hook")
    with pytest.raises(DeliveryFailed, match="unknown_host"):
        resolve(parse_url("https://bots.example/hook"))


def test_slow_name_server_delays_a_request_for_a_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    released = Event()

    def getaddrinfo(*_: object, **__: object) -> list[Any]:
        released.wait(20)
        return []

    monkeypatch.setattr(http_client, "RESOLVE_SECONDS", 0.05)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    for _ in range(3 * http_client.MAX_RESOLVERS):
        check_url("https://bots.example/hook")
    assert sum(each.name.startswith("resolver") for each in enumerate_threads()) <= http_client.MAX_RESOLVERS
    released.set()


def test_unknown_host_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(*_: object, **__: object) -> list[Any]:
        raise socket.gaierror(-2, "no")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with pytest.raises(DeliveryFailed, match="unknown_host"):
        resolve(parse_url("https://bots.example"))


def test_local_setting_allows_loopback_only(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HAGGIS_WEBHOOKS_LOCAL = True
    assert resolve(parse_url("http://127.0.0.1:8123/hook")) == "127.0.0.1"
    for url in (
        "http://10.0.0.1/",
        "http://192.168.1.1:8000/",
        "http://9.9.9.9/",
        "https://169.254.169.254/",
    ):
        with pytest.raises(InvalidAddress):
            parse_url(url)
    stub_dns(monkeypatch, "10.0.0.1")
    with pytest.raises(DeliveryFailed, match="forbidden_address"):
        resolve(parse_url("http://bots.example:8000/"))
    stub_dns(monkeypatch, "9.9.9.9")
    with pytest.raises(DeliveryFailed, match="forbidden_address"):
        resolve(parse_url("https://bots.example:22/"))
    with pytest.raises(DeliveryFailed, match="forbidden_address"):
        resolve(parse_url("http://bots.example/"))
