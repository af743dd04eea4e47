/*
 * The ladder of packages: each imports only what stands above it here. Checked on the compiled
 * JavaScript, which holds exactly the imports that are there at run time.
 */
const LADDER = [
  "game",
  "boards",
  "store",
  "verify",
  "report",
  "enumeration",
  "tablebase",
  "kernel",
  "solver",
  "paper",
  "cluster",
  "cli",
  "testbed",
];

module.exports = {
  forbidden: [
    ...LADDER.map((name, rung) => ({
      name: `ladder-${name}`,
      comment: `${name} may import only: ${LADDER.slice(0, rung).join(", ") || "nothing"}`,
      severity: "error",
      from: { path: `^packages/${name}/` },
      to: { path: `^packages/(${LADDER.slice(rung + 1).join("|") || "nothing-below"})/` },
    })),
    {
      name: "game-imports-nothing",
      severity: "error",
      from: { path: "^packages/game/" },
      to: { pathNot: "^packages/game/" },
    },
    {
      name: "kernel-imports-no-store",
      comment: "the search knows no database",
      severity: "error",
      from: { path: "^packages/kernel/" },
      to: { path: "^packages/store/" },
    },
    {
      name: "verify-imports-game-alone",
      comment: "what checks certificates shares nothing with what makes them",
      severity: "error",
      from: { path: "^packages/verify/" },
      to: { path: "^packages/", pathNot: "^packages/(verify|game)/" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "public-entry-only",
      comment: "packages know each other by their index alone",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/[^/]+/", pathNot: "^packages/($1/|[^/]+/dist/index\\.js$)" },
    },
  ],
  options: {
    includeOnly: "^packages/[^/]+/(dist|bin)/|^node_modules/|^[a-z_:]+$",
    doNotFollow: { path: "node_modules" },
    exoticRequireStrings: [],
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
