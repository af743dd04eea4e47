export * from "./board-picture.js";
export { bars, type Chart, drawChart, type Picture } from "./chart.js";
export * from "./files.js";
export * from "./numbers.js";
export * from "./tables.js";
export * from "./units.js";
