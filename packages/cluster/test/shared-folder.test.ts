import { parseShape } from "@gridlock/game";
import { layersBuild } from "@gridlock/layers";
import { describe, expect, it } from "vitest";
import { refuseOtherBuild } from "../src/shared-folder.js";

describe("a run's build", () => {
  it("must be this machine's build, or is rejected with a sentence", () => {
    const game = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
    const build = layersBuild(game.shape);
    expect(() => refuseOtherBuild(game, build)).not.toThrow();
    expect(() => refuseOtherBuild(game, layersBuild(parseShape("3x3")))).toThrow(
      new RegExp(`but this worker with build ${build}; use the same version of gridlock`),
    );
  });
});
