/** The tokens of the design system, which follow light, dark and print, as values of SVG attributes. */
export const theme = {
  /** By the index of the series. */
  series: [1, 2, 3, 4, 5].map((k) => `var(--c-chart-${k})`),
  text: 'var(--c-muted)',
  /** Grid lines. */
  line: 'var(--c-line)',
  /** The axis, notes and the rule at the value that is shown. */
  axis: 'var(--c-control)',
  surface: 'var(--c-surface)',
}

/** No text of a chart is smaller. In px, which are real ones: charts are drawn at the width that they have. */
export const FONT_SIZE = 12.5
