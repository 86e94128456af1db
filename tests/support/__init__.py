"""What tests share.

| module | contents |
| --- | --- |
| `table` | the scenario language: whole games over HTTP, move by move, with prepared deals |
| `clients` | API clients of people, guests, bots and visitors, and the codes of error responses |
| `factories` | players, matches, tables and operators through the services, and what they have stored |
| `prepared_deals` | the cards of `Table.start(deals=...)` |
| `concurrency` | functions that run at the same moment |
| `roles` | the database role of the service, and that of the owner of the tables |
| `contract` | every response of every test, checked against the OpenAPI document |
| `round_trips` | the round trips to PostgreSQL of a block |
| `streams` | readers of event streams, without a server |
| `receiver` | a local receiver of webhooks and push messages |
| `processes` | servers, workers, databases and whole stacks as subprocesses, to be killed |
| `stored_matches` | many stored matches, and checks of their logs |
| `totp` | one-time passwords of operators |
| `requirements` | servers and programs that a test needs, and free ports |

Choose the lowest level that shows the behaviour: a service with `factories`, a request with `clients`, a
game with `table`, a process with `processes`.
"""
