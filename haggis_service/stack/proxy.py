"""The proxy of `make stack`: nginx with the template of production."""

import getpass
import shutil
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Final

from haggis_service.settings.base import ROOT
from haggis_service.stack.processes import EVENTS, WEB

TEMPLATE: Final = ROOT / "deploy" / "haggis.conf.template"

_NGINX_CONF: Final = """\
user {user};
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log stderr warn;
worker_rlimit_nofile 16384;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/haggis.conf;
}}
"""


def nginx_path() -> str | None:
    """Return the path of nginx, or `None` if it is not installed."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def render_site(
    *,
    listen: str,
    web: Sequence[str],
    events: Sequence[str],
    site: str,
    proto: str = "https",
    exports: str = "/exports",
) -> str:
    """Render the template; `exports` is the folder of files to download.

    By default requests count as HTTPS requests, since the production settings redirect all others.
    """
    return Template(TEMPLATE.read_text(encoding="utf-8")).safe_substitute(
        HAGGIS_LISTEN=listen,
        HAGGIS_SITE_ADDRESS=site,
        HAGGIS_WEB_SERVERS=_servers(web),
        HAGGIS_EVENTS_SERVERS=_servers(events),
        HAGGIS_FORWARDED_PROTO=proto,
        HAGGIS_EXPORTS_DIR=exports,
    )


def _servers(addresses: Sequence[str]) -> str:
    return " ".join(f"server {address} max_fails=0;" for address in addresses)


def write_config(
    folder: Path, *, port: int, ports: dict[str, list[int]], exports: str = "/exports"
) -> list[str]:
    """Write the configuration of nginx and return the command that starts it."""
    folder.mkdir(parents=True, exist_ok=True)
    addresses = {name: [f"127.0.0.1:{each}" for each in numbers] for name, numbers in ports.items()}
    listen = f"127.0.0.1:{port}"
    rendered = render_site(
        listen=listen,
        web=addresses[WEB.name],
        events=addresses[EVENTS.name],
        site=f"http://{listen}",
        exports=exports,
    )
    (folder / "haggis.conf").write_text(rendered, encoding="utf-8")
    around = _NGINX_CONF.format(folder=folder, user=getpass.getuser())
    (folder / "nginx.conf").write_text(around, encoding="utf-8")
    return [nginx_path() or "nginx", "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
