"""The catalogue of games over HTTP."""

import jsonschema
import pytest

from domain.registry import GAMES, command_types, event_types
from service.rulebook import texts
from tests.kit.face import Api, Client
from tests.kit.tables import running


def test_all_games_are_listed_with_all_there_is_to_know(anybody: Client) -> None:
    listed = anybody.get("/v1/games").json()
    assert [game["id"] for game in listed["items"]] == sorted(GAMES)
    assert listed["next_cursor"] is None
    for game in listed["items"]:
        assert anybody.get(f"/v1/games/{game['id']}").json() == game


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_game_shows_seats_options_commands_events_phases_rules_and_bots(
    anybody: Client, game_id: str
) -> None:
    shown, game = anybody.get(f"/v1/games/{game_id}").json(), GAMES[game_id]
    assert (shown["seats"]["min"], shown["seats"]["max"]) == game.seats
    assert {command["type"] for command in shown["commands"]} == set(command_types(game_id))
    assert {event["type"] for event in shown["events"]} == set(event_types(game_id))
    assert {phase["phase"] for phase in shown["phases"]} == set(game.phases)
    assert shown["texts"] == texts(game_id)
    assert {bot["name"] for bot in shown["bots"]} == set(game.bots)
    for entry in [*shown["commands"], *shown["events"]]:
        jsonschema.Draft202012Validator.check_schema(entry["schema"])
        for form in entry["schema"].get("oneOf", [entry["schema"]]):
            assert form["properties"]["type"]["const"] == entry["type"]


def test_the_options_of_bookmaker_have_their_defaults(anybody: Client) -> None:
    options = anybody.get("/v1/games/bookmaker").json()["options"]
    defaults = {name: form.get("default") for name, form in options["properties"].items()}
    assert defaults == {
        "programme": None,
        "odds_step": 1,
        "in_running": False,
        "brocco": False,
        "cash": 1000,
    }
    assert "default" not in options["properties"]["programme"]
    jsonschema.validate({"cash": 500, "odds_step": 0.1}, options)
    for bad in ({"cash": 9}, {"cash": None}, {"programme": None}, {"odds_step": 2}, {"x": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, options)


def test_who_may_know_of_an_event_is_told(anybody: Client) -> None:
    events = {e["type"]: e for e in anybody.get("/v1/games/bookmaker").json()["events"]}
    assert events["meeting_opened"]["audience"] == "public"
    assert events["bookmaker.joker_kept"]["audience"] == "seats"
    assert events["bookmaker.hands_dealt"]["private"] == ["command", "hand"]


def test_commands_and_events_of_play_fit_their_schemas(api: Api, anybody: Client) -> None:
    shown = anybody.get("/v1/games/bookmaker").json()
    commands = {entry["type"]: entry["schema"] for entry in shown["commands"]}
    events = {entry["type"]: entry["schema"] for entry in shown["events"]}
    meeting, people = running(api)
    for person in people:
        for action in meeting.actions(person)["actions"]:
            jsonschema.validate({**action, "seat": 1, "decision": 7}, commands[action["type"]])
        for event in person.client.get(f"{meeting.path}/events").json()["items"]:
            jsonschema.validate(event, events[event["type"]])


@pytest.mark.parametrize("game", ["chess", "Bookmaker", "%00"])
def test_a_game_that_is_not_there_is_not_found(anybody: Client, game: str) -> None:
    answer = anybody.get(f"/v1/games/{game}")
    assert (answer.status_code, answer.json()["code"]) == (404, "game_not_found")
