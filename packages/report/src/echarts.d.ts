/**
 * The part of ECharts that draws charts here: it is not there at compile time where only production
 * packages are installed.
 */
declare module "echarts" {
  export function init(
    element: null,
    theme: null,
    options: {
      readonly renderer: "svg";
      readonly ssr: true;
      readonly width: number;
      readonly height: number;
    },
  ): {
    setOption(option: object): void;
    renderToSVGString(): string;
    dispose(): void;
  };
}
