import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LIGHT_THEME, PAGE_THEME } from './chart-theme.ts'
import { LineChartSvg } from './line-chart-svg.tsx'

test('on the server it is a whole document with its own colours and names', () => {
  const svg = renderToStaticMarkup(
    <LineChartSvg
      width={800}
      theme={LIGHT_THEME}
      withLegend
      series={[{ name: 'Visite & tocchi' }, { name: 'Settimana prima', isPrevious: true }]}
      points={[
        { label: 'lun', longLabel: 'lunedì', values: [1200, 3] },
        { label: 'mar', longLabel: 'martedì', values: [null, 4] },
      ]}
    />,
  )
  const page = new DOMParser().parseFromString(svg, 'image/svg+xml')
  expect(page.querySelector('parsererror')).toBeNull()
  expect(page.documentElement.getAttribute('viewBox')).toBe('0 -40 800 280')
  const texts = [...page.querySelectorAll('text')].map((text) => text.textContent)
  expect(texts).toEqual(expect.arrayContaining(['Visite & tocchi', 'Settimana prima', 'mar']))
  expect(svg).not.toContain('var(')
})

test('the line to a point whose time has not ended is dotted', () => {
  const points = [1, 2, 3].map((value) => ({
    label: String(value),
    longLabel: String(value),
    values: [value],
    isRunning: value === 3,
  }))
  const svg = renderToStaticMarkup(
    <LineChartSvg width={800} series={[{ name: 'Visite' }]} points={points} />,
  )
  expect(svg.match(/stroke-dasharray="1 4"/g)).toHaveLength(1)
})

test('the colours of pictures are those of the page by day', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../tokens.css'), 'utf8')
  const [light = ''] = tokens.split('@media')
  const colour = (value: string) =>
    light.match(new RegExp(`${value.slice(4, -1)}: (#[0-9a-f]{6});`))?.[1]
  const { text, line, axis, surface, series } = PAGE_THEME
  expect({
    ...LIGHT_THEME,
    font: undefined,
  }).toEqual({
    text: colour(text),
    line: colour(line),
    axis: colour(axis),
    surface: colour(surface),
    series: series.map(colour),
    font: undefined,
  })
})
