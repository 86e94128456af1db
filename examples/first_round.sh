#!/usr/bin/env bash
# A whole round against the AI with nothing but curl, and Python's standard library to read JSON.
# Start the service (`make run`), then: examples/first_round.sh [http://127.0.0.1:8000]
set -euo pipefail
api=${1:-http://127.0.0.1:8000}/api/v1

# Print the value at a path of the JSON on standard input: `value match.you.to_act`.
value() {
    python3 -c '
import json, sys
found = json.load(sys.stdin)
for name in sys.argv[1].split("."):
    found = found[int(name)] if isinstance(found, list) else found[name]
print(found if isinstance(found, str) else json.dumps(found))' "$1"
}
ask() { curl -sS --fail-with-body "$api/$1" -H "Authorization: Bearer $token" "${@:2}"; }
post() { ask "$1" -H 'Content-Type: application/json' -d "$2"; }

# 1. Sign in as a guest; the token authenticates all further requests.
token=$(curl -sS -X POST "$api/auth/guest" | value token)

# 2. Create a match of one round against an AI.
match=$(post matches '{"ruleset": "classic", "rounds": 1, "seats": [{"kind": "me"}, {"kind": "ai", "level": "easy"}]}' | value id)
echo "match $match"

# 3. Bet 15 points on going out first; bets are possible before the first play.
table=$(ask "matches/$match")
post "matches/$match/moves" "{\"version\": $(value version <<<"$table"), \"type\": \"bet\", \"amount\": 15}" >/dev/null
echo "bet 15"

# 4. Until the round is over, make the cheapest play or pass whenever it is our turn.
while [ "$(ask "matches/$match" | value status)" = active ]; do
    table=$(ask "matches/$match")
    if [ "$(value you.to_act <<<"$table")" != true ]; then
        sleep 0.3
        continue
    fi
    legal=$(ask "matches/$match/legal-moves")
    version=$(value version <<<"$legal")
    if [ "$(value count <<<"$legal")" = 0 ]; then
        move="{\"version\": $version, \"type\": \"pass\"}"
    else
        cards=$(value combinations.0.cheapest <<<"$legal")
        # Name the combination as well, since some cards form several.
        as=$(value combinations.0.combination <<<"$legal" | python3 -c '
import json, sys
named = json.load(sys.stdin)
del named["text"]
print(json.dumps(named))')
        move="{\"version\": $version, \"type\": \"play\", \"cards\": $cards, \"as\": $as}"
    fi
    done=$(post "matches/$match/moves" "$move")
    echo "$(value move.type <<<"$done") $(value move.cards <<<"$done")"
done

# 5. Print the score sheet, and verify that the deal was fair and every move legal.
ask "matches/$match/rounds/1" | value scores
record=$(ask "matches/$match/record")
post records/verify "{\"record\": $record}"
echo
