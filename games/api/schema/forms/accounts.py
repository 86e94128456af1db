"""Accounts and tokens."""

from games.api.schema.fields import Form, enumeration, list_of
from games.api.shapes import Flag, Moment, Text
from games.models import PlayerKind, Scope
from games.selectors.players import NOTICES

player_kind = enumeration("PlayerKind", PlayerKind.values, "What stands behind an account.")
scope = enumeration("Scope", [each.value for each in Scope], "How far a token reaches.")
notice = enumeration("Notice", NOTICES, "What a player may be told of.")


class PlayerForm(Form):
    """A player."""

    username = Text(help_text="Unique, whatever the case of its letters.")
    kind = player_kind()
    display_name = Text(allow_blank=True, help_text="As the player wants to be called; may be empty.")


class ProfileForm(PlayerForm):
    """What anybody may know of a player."""

    owner = Text(allow_null=True, help_text="Whose bot it is; null for people.")
    created = Moment(help_text="Since when there is this account.")


class NotificationsForm(Form):
    """What a player wants to be told of, by each way."""

    email = list_of(notice(), help_text="At once.")
    digest = list_of(notice(), help_text="In one mail a day.")
    push = list_of(notice())


class MeForm(ProfileForm):
    """What a player knows of themselves."""

    email = Text(allow_null=True, help_text="Shown only to tokens with the scope `account:write`.")
    email_confirmed = Flag(allow_null=True, help_text="Whether mail goes there; shown like the address.")
    time_zone = Text(help_text="A name of the tz database, as `Europe/London`.")
    notifications = NotificationsForm()


class EnteredForm(Form):
    """A player, and a token that acts for them. The token is shown only here."""

    token = Text(help_text="Secret: to be sent as `Authorization: Bearer ...`.")
    player = PlayerForm()


class ClaimedForm(Form):
    """The player, who now has a name and a password."""

    player = PlayerForm()


class TokenForm(Form):
    """A token, without the token itself."""

    id = Text()
    name = Text(allow_blank=True, help_text="What its owner calls it.")
    scopes = list_of(scope(), help_text="How far it reaches.")
    starts_with = Text(help_text="Its first characters, to know it again by.")
    created = Moment()
    expires_at = Moment(
        allow_null=True, help_text="When it ends unless it is used; null where it does not end."
    )
    current = Flag(help_text="Whether it is the one that was shown with this request.")


class NewTokenForm(TokenForm):
    """A new token with its secret, which is shown only here."""

    token = Text(help_text="Secret: to be sent as `Authorization: Bearer ...`.")


class TicketForm(Form):
    """A ticket, which is shown only here."""

    ticket = Text(help_text="Secret: to be sent as `?ticket=`.")
    expires_at = Moment()
