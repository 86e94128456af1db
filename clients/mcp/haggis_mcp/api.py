"""Requests to a Haggis service with the token of a bot."""

import asyncio
from typing import Any

import httpx

ATTEMPTS = 6
LONGEST_PAUSE = 60.0
SECONDS_TO_ANSWER = 60.0

Json = dict[str, Any]


class RefusedError(Exception):
    """The service refused a request; the problem document says why."""

    def __init__(self, problem: Json) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.problem = problem


class NotABotError(Exception):
    """The token is not that of a bot."""


class Api:
    """Sends requests, waits as long as rate limits ask for, and tries again when the connection is lost."""

    def __init__(self, site: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        address = f"{site.rstrip('/')}/api/v1"
        self._http = httpx.AsyncClient(base_url=address, headers=headers, timeout=SECONDS_TO_ANSWER)
        self._is_checked = False

    async def require_bot(self) -> None:
        """Raise unless the token is that of a bot: people play their matches themselves."""
        if self._is_checked:
            return
        me = await self._send("GET", "/me")
        if me["kind"] != "bot":
            raise NotABotError(
                "HAGGIS_TOKEN is not the token of a bot. Create one with POST /api/v1/me/bots."
            )
        self._is_checked = True

    async def get(self, path: str, **query: str | int | None) -> Json:
        """Read something."""
        await self.require_bot()
        return await self._send("GET", path, query={k: v for k, v in query.items() if v is not None})

    async def post(self, path: str, body: Json) -> Json:
        """Change something. Moves name the version of the table, so repeating one is safe."""
        await self.require_bot()
        return await self._send("POST", path, body=body)

    async def _send(
        self, method: str, path: str, *, query: dict[str, Any] | None = None, body: Json | None = None
    ) -> Json:
        answer = await self._request(method, path, query, body)
        document: Json = answer.json()
        if answer.is_error:
            raise RefusedError(document)
        return document

    async def _request(
        self, method: str, path: str, query: dict[str, Any] | None, body: Json | None
    ) -> httpx.Response:
        pause = 0.5
        for _ in range(ATTEMPTS - 1):
            try:
                answer = await self._http.request(method, path, params=query, json=body)
            except httpx.TransportError:
                await asyncio.sleep(pause)
                pause *= 2
                continue
            if answer.status_code not in {httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE}:
                return answer
            await asyncio.sleep(min(float(answer.headers.get("Retry-After", pause)), LONGEST_PAUSE))
        return await self._http.request(method, path, params=query, json=body)
