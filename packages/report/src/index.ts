export { drawPlay, type ShownGame } from "./animation.js";
export { drawStrips, type Frame, type Strip } from "./board-picture.js";
export { bars, type Chart, type Series } from "./chart.js";
export { drawChart, whyNoCharts } from "./draw-chart.js";
export * from "./files.js";
export * from "./numbers.js";
export type { Picture } from "./svg.js";
export * from "./tables.js";
export * from "./units.js";
