import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { ChartPoint } from './chart-data.ts'
import { FunnelChart } from './funnel-chart.tsx'
import { HeatMap } from './heat-map.tsx'
import { LineChart } from './line-chart.tsx'
import { StackedBarChart } from './stacked-bar-chart.tsx'

const texts = { title: 'Visite', summary: 'Sono 1.239 visite.' }

/** The end of summer time: two points have the label 2. */
const night: ChartPoint[] = [
  { label: '1', longLabel: '01:00', values: [5, 1] },
  { label: '2', longLabel: '02:00 (ora legale)', values: [null, 2] },
  { label: '2', longLabel: '02:00 (ora solare)', values: [1234, 0] },
]

function showLine(points = night) {
  render(
    <LineChart
      {...texts}
      pointName="Ora"
      series={[{ name: 'Oggi' }, { name: 'Ieri', isPrevious: true }]}
      points={points}
      notes={[{ index: 2, text: 'Offerta pubblicata' }]}
    />,
  )
  return userEvent.setup()
}

const slider = () => screen.getByRole('slider', { name: 'Valori: Visite' })
const announced = () => slider().getAttribute('aria-valuetext')

/** Opens the table. @returns the texts of its rows */
async function openTable() {
  const button = screen.getByRole('button', { name: 'Mostra tabella', expanded: false })
  await userEvent.click(button)
  expect(screen.getByRole('button', { name: 'Nascondi tabella', expanded: true })).toBe(button)
  const rows = within(screen.getByRole('table', { name: 'Visite' })).getAllByRole('row')
  return rows.map((row) => [...row.children].map(({ textContent }) => textContent))
}

test('the table has the values of the chart, and names rows and columns', async () => {
  showLine()
  expect(screen.getByRole('figure', { name: 'Visite' }).textContent).toContain(texts.summary)
  expect(await openTable()).toEqual([
    ['Ora', 'Oggi', 'Ieri', 'Note'],
    ['01:00', '5', '1', ''],
    ['02:00 (ora legale)', 'n/d', '2', ''],
    ['02:00 (ora solare)', '1.234', '0', 'Offerta pubblicata'],
  ])
  expect(screen.getAllByRole('columnheader')).toHaveLength(4)
  expect(screen.getByRole('rowheader', { name: '01:00' })).toBeDefined()
})

test('the keyboard reaches every value, from the last one on, and Escape hides it', async () => {
  const user = showLine()
  await user.tab()
  expect(document.activeElement).toBe(slider())
  expect(announced()).toBe('02:00 (ora solare): Oggi 1.234, Ieri 0. Offerta pubblicata')
  await user.keyboard('{ArrowRight}{ArrowLeft}')
  expect(announced()).toBe('02:00 (ora legale): Oggi n/d, Ieri 2')
  expect(screen.getByText('02:00 (ora legale)')).toBeDefined()
  await user.keyboard('{Escape}')
  expect(screen.queryByText('02:00 (ora legale)')).toBeNull()
  await user.keyboard('{Home}')
  expect(screen.getByText('01:00')).toBeDefined()
  await user.keyboard('{End}')
  expect(screen.getByText('02:00 (ora solare)')).toBeDefined()
  // One tab stop: the next one is the button of the table.
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button'))
  expect(screen.queryByText('02:00 (ora solare)')).toBeNull()
})

test('a screen reader moves through the values without keys', () => {
  showLine()
  fireEvent.change(slider(), { target: { value: '0' } })
  expect(screen.getByText('01:00')).toBeDefined()
  expect(announced()).toBe('01:00: Oggi 5, Ieri 1')
})

test('what a touch has shown stays until the next one elsewhere', async () => {
  const user = showLine()
  const drawing = slider().parentElement ?? document.body
  drawing.getBoundingClientRect = () => new DOMRect(100, 0, 400, 120)
  await user.pointer({
    keys: '[TouchA]',
    target: drawing,
    coords: { clientX: 310, clientY: 60 },
  })
  expect(screen.getByText('02:00 (ora legale)')).toBeDefined()
  await user.pointer({ keys: '[TouchA]', target: document.body })
  expect(screen.queryByText('02:00 (ora legale)')).toBeNull()
})

test('the line to a point whose time has not ended is dotted', () => {
  const points = [1, 2, 3].map((value) => ({
    label: String(value),
    longLabel: String(value),
    values: [value],
    isRunning: value === 3,
  }))
  showLine(points)
  expect(document.querySelectorAll('[stroke-dasharray="1 4"]')).toHaveLength(1)
})

test('without points the chart says so', () => {
  showLine([])
  expect(screen.getByText('Nessun dato')).toBeDefined()
  expect(screen.queryByRole('slider')).toBeNull()
})

test('stacked bars give the sum of what is known', async () => {
  render(
    <StackedBarChart
      {...texts}
      pointName="Ora"
      series={[{ name: 'Completati' }, { name: 'Annullati' }]}
      points={[...night, { label: '3', longLabel: '03:00', values: [null, null] }]}
    />,
  )
  expect(await openTable()).toEqual([
    ['Ora', 'Completati', 'Annullati', 'Totale'],
    ['01:00', '5', '1', '6'],
    ['02:00 (ora legale)', 'n/d', '2', '2'],
    ['02:00 (ora solare)', '1.234', '0', '1.234'],
    ['03:00', 'n/d', 'n/d', 'n/d'],
  ])
  expect(announced()).toBe('03:00: Completati n/d, Annullati n/d, Totale n/d')
})

test('the heat map is walked in hours and days', async () => {
  const values = Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (__, hour) => (day === 6 ? null : day * 100 + hour)),
  )
  render(<HeatMap {...texts} valueName="Visualizzazioni" values={values} />)
  const rows = await openTable()
  expect(rows).toHaveLength(25)
  expect(rows[24]).toEqual(['23–24', '23', '123', '223', '323', '423', '523', 'n/d'])
  const user = userEvent.setup()
  slider().focus()
  await user.keyboard('{ArrowUp}{ArrowRight}{ArrowDown}{ArrowDown}')
  expect(announced()).toBe('Mercoledì, 01–02: Visualizzazioni 201')
  await user.keyboard('{End}')
  expect(announced()).toBe('Domenica, 23–24: Visualizzazioni n/d')
})

test('each step of a funnel says its share of the one before', async () => {
  const steps = [
    { name: 'Vista', count: 1234 },
    { name: 'Aperta', count: 321 },
    { name: 'Toccata', count: 0 },
    { name: 'Ordinata', count: 2 },
  ]
  render(<FunnelChart {...texts} steps={steps} />)
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(items).toEqual([
    'Vista1.234',
    'Aperta32126% del passo precedente',
    'Toccata00% del passo precedente',
    'Ordinata2',
  ])
  expect(await openTable()).toEqual([
    ['Passo', 'Numero', 'Rispetto al passo precedente'],
    ['Vista', '1.234', ''],
    ['Aperta', '321', '26%'],
    ['Toccata', '0', '0%'],
    ['Ordinata', '2', 'n/d'],
  ])
})
