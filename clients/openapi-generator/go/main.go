// A whole match against an AI with the client that openapi-generator makes for Go; the record is verified.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"haggis"
)

func client(site string, token string) *haggis.APIClient {
	configuration := haggis.NewConfiguration()
	configuration.Servers = haggis.ServerConfigurations{{URL: site}}
	if token != "" {
		configuration.AddDefaultHeader("Authorization", "Bearer "+token)
	}
	return haggis.NewAPIClient(configuration)
}

// expect returns the response; a rejected request ends the program.
func expect[T any](response T, err error) T {
	if err != nil {
		log.Fatalf("%+v", err)
	}
	return response
}

// choose returns the first legal action.
func choose(legal *haggis.LegalMoves) haggis.ActionRequest {
	if legal.MustAward {
		return haggis.AwardRequestAsActionRequest(haggis.NewAwardRequest(legal.Version, "award", int64(legal.Awards[0])))
	}
	if len(legal.Combinations) == 0 {
		return haggis.PassRequestAsActionRequest(haggis.NewPassRequest(legal.Version, "pass"))
	}
	group := legal.Combinations[0]
	named := haggis.NewNamedRequest()
	named.SetKind(group.Combination.Kind)
	named.SetTop(group.Combination.Top)
	named.SetWidth(group.Combination.Width)
	named.SetLength(group.Combination.Length)
	play := haggis.NewPlayRequest(group.Cheapest, legal.Version, "play")
	play.SetAs(*named)
	return haggis.PlayRequestAsActionRequest(play)
}

func main() {
	background := context.Background()
	entered, _, err := client(os.Args[1], "").AccountsAPI.EnterAsGuest(background).GuestRequest(*haggis.NewGuestRequest()).Execute()
	api := client(os.Args[1], expect(entered, err).Token)

	request := haggis.NewMatchRequest(haggis.RULESETKEY_CLASSIC)
	request.SetRounds(2)
	request.SetSeats([]haggis.SeatRequest{
		haggis.MySeatRequestAsSeatRequest(haggis.NewMySeatRequest("me")),
		haggis.AiSeatRequestAsSeatRequest(haggis.NewAiSeatRequest("ai", haggis.LEVEL_EASY)),
	})
	table, _, err := api.LobbyAPI.CreateMatch(background).MatchRequest(*request).Execute()
	id := expect(table, err).Id

	happenings := 0
	for table.Status == haggis.MATCHSTATUS_ACTIVE {
		if you := table.You.Get(); you == nil || !you.ToAct {
			time.Sleep(50 * time.Millisecond)
			table, _, err = api.TableAPI.ReadMatch(background, id).Execute()
			expect(table, err)
			continue
		}
		legal, _, err := api.TableAPI.ListLegalMoves(background, id).Execute()
		action := choose(expect(legal, err))
		moved, _, err := api.TableAPI.Act(background, id).ActionRequest(action).Execute()
		table = &expect(moved, err).Match
		for _, happening := range moved.Move.Then {
			if happening.TrickEnd != nil {
				happenings++
			}
		}
	}
	record, _, err := api.HistoryAPI.ReadRecord(background, id).Execute()
	document := expect(expect(record, err).ToMap())
	verdict, _, err := api.HistoryAPI.VerifyRecord(background).VerifyRequest(*haggis.NewVerifyRequest(document)).Execute()
	right := expect(verdict, err).Right
	if right == nil || happenings == 0 {
		log.Fatalf("not valid, or no trick ended: %+v", verdict)
	}
	fmt.Printf("%s; deals %s\n", table.Status, right.Deals)
}
