/** Colours as values of SVG attributes. */
export type ChartTheme = {
  /** By the index of the series. */
  series: readonly string[]
  text: string
  /** Grid lines. */
  line: string
  /** The axis, notes and the rule at the value that is shown. */
  axis: string
  surface: string
  /** Undefined where the text inherits its font. */
  font?: string
}

/** The tokens of the design system, which follow light, dark and print. */
export const PAGE_THEME: ChartTheme = {
  series: [1, 2, 3, 4, 5].map((k) => `var(--c-chart-${k})`),
  text: 'var(--c-muted)',
  line: 'var(--c-line)',
  axis: 'var(--c-control)',
  surface: 'var(--c-surface)',
}

/** The light colours of `tokens.css`, for pictures that are rendered outside of a page. */
export const LIGHT_THEME: ChartTheme = {
  series: ['#0b7a4b', '#2f6bd0', '#b06a00', '#b4525c', '#7a50c7'],
  text: '#5c645f',
  line: '#e8e6df',
  axis: '#8b908a',
  surface: '#ffffff',
  font: 'Inter, Arial, sans-serif',
}

/** No text of a chart is smaller. In px, which are real ones: charts are drawn at the width that they have. */
export const FONT_SIZE = 12.5
