import { describe } from "vitest";
import { testExplore } from "./explore.js";
import { testLabels } from "./labels.js";
import { testPages } from "./pages.js";
import { testPlay } from "./play.js";
import { testProxy } from "./proxy.js";
import { testRuns } from "./runs.js";
import { noBrowser, site } from "./site.js";

/* All tests that drive a browser: with one server, one browser and one solved database. */

describe.skipIf(noBrowser)("in a browser", () => {
  const current = site();
  testPages(current);
  testExplore(current);
  testLabels(current);
  testPlay(current);
  testRuns(current);
  testProxy(current);
});
