/* A thread of `playMatch`: plays some games after others. */
import { answerRequests } from "@gridlock/store";
import { playGames } from "./games.js";

answerRequests(playGames);
