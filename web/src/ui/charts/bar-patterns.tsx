import { PAGE_THEME } from './chart-theme.ts'

/** Side of a tile, in px. */
const TILE = 6

/** Strokes on a tile: diagonals, dots, horizontal lines, a grid. The first series is solid. */
const strokes = [
  '',
  'M-1 1l2-2M0 6l6-6M5 7l2-2',
  'M1.5 1.5h.01M4.5 4.5h.01',
  'M0 1.5h6M0 4.5h6',
  'M0 3h6M3 0v6',
]

/** `fill` of the bars of a series. `id` is the one of the patterns. */
export function barFill(id: string, index: number): string | undefined {
  return index === 0 ? PAGE_THEME.series[0] : `url(#${id}-${index})`
}

/** Patterns that tell series apart without their colours. They go on from a bar to the next. */
export function BarPatterns({ id }: { id: string }) {
  return (
    <defs>
      {strokes.map((d, index) =>
        index === 0 ? null : (
          <pattern
            key={index}
            id={`${id}-${index}`}
            width={TILE}
            height={TILE}
            patternUnits="userSpaceOnUse"
            stroke={PAGE_THEME.series[index]}
            strokeWidth={index === 2 ? 2.2 : 1.6}
            strokeLinecap={index === 2 ? 'round' : undefined}
          >
            <rect
              width={TILE}
              height={TILE}
              stroke="none"
              fill={PAGE_THEME.series[index]}
              fillOpacity={0.18}
            />
            <path d={d} />
          </pattern>
        ),
      )}
    </defs>
  )
}
