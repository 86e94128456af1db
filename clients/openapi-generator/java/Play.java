import haggis.ApiClient;
import haggis.api.AccountsApi;
import haggis.api.HistoryApi;
import haggis.api.LobbyApi;
import haggis.api.TableApi;
import haggis.model.ActionRequest;
import haggis.model.AiLevel;
import haggis.model.AiSeatRequest;
import haggis.model.AwardRequest;
import haggis.model.Combination;
import haggis.model.GuestRequest;
import haggis.model.Happening;
import haggis.model.LegalGroup;
import haggis.model.LegalMoves;
import haggis.model.MatchRequest;
import haggis.model.MatchStatus;
import haggis.model.Moved;
import haggis.model.MySeatRequest;
import haggis.model.NamedRequest;
import haggis.model.PassRequest;
import haggis.model.PlayRequest;
import haggis.model.RuleSetKey;
import haggis.model.SeatRequest;
import haggis.model.Table;
import haggis.model.TrickEnd;

/** A whole match against an AI with the client that openapi-generator makes for Java. */
public class Play {

    static ApiClient client(String site, String token) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(site);
        if (token != null) {
            client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        }
        return client;
    }

    /** Returns the first legal action. */
    static ActionRequest choose(LegalMoves legal) {
        long version = legal.getVersion();
        if (legal.getMustAward()) {
            long to = legal.getAwards().get(0);
            return new ActionRequest(new AwardRequest().type(AwardRequest.TypeEnum.AWARD).to(to).version(version));
        }
        if (legal.getCombinations().isEmpty()) {
            return new ActionRequest(new PassRequest().type(PassRequest.TypeEnum.PASS).version(version));
        }
        LegalGroup group = legal.getCombinations().get(0);
        Combination combination = group.getCombination();
        NamedRequest named = new NamedRequest().kind(combination.getKind()).top(combination.getTop())
            .width(combination.getWidth()).length(combination.getLength());
        return new ActionRequest(new PlayRequest().type(PlayRequest.TypeEnum.PLAY).cards(group.getCheapest())
            .as(named).version(version));
    }

    public static void main(String[] arguments) throws Exception {
        String token = new AccountsApi(client(arguments[0], null)).enterAsGuest(new GuestRequest()).getToken();
        ApiClient client = client(arguments[0], token);
        TableApi tables = new TableApi(client);
        MatchRequest request = new MatchRequest().ruleset(RuleSetKey.CLASSIC).rounds(2)
            .addSeatsItem(new SeatRequest(new MySeatRequest().kind(MySeatRequest.KindEnum.ME)))
            .addSeatsItem(new SeatRequest(
                new AiSeatRequest().kind(AiSeatRequest.KindEnum.AI).level(AiLevel.EASY)));
        Table table = new LobbyApi(client).createMatch(request, null);
        int tricks = 0;
        while (table.getStatus() == MatchStatus.ACTIVE) {
            if (table.getYou() == null || !table.getYou().getToAct()) {
                Thread.sleep(50);
                table = tables.readMatch(table.getId(), null, null, null);
                continue;
            }
            LegalMoves legal = tables.listLegalMoves(table.getId(), null, null, null, null, null);
            Moved moved = tables.act(table.getId(), choose(legal), null);
            for (Happening happening : moved.getMove().getThen()) {
                if (happening.getActualInstance() instanceof TrickEnd) {
                    tricks++;
                }
            }
            table = moved.getMatch();
        }
        int rounds = new HistoryApi(client).readRecord(table.getId(), null).getRounds().size();
        if (rounds != 2 || tricks == 0) {
            throw new IllegalStateException("not the whole match: " + table);
        }
        System.out.println(table.getStatus() + "; " + tricks + " tricks in " + rounds + " rounds");
    }
}
