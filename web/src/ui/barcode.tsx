import type { BarWidths } from './barcode-widths.ts'
import { cn } from './class-names.ts'

/** In modules, on both sides of the bars. */
const QUIET_ZONE = 10

/** CSS pixels of a barcode along its bars. */
export function barcodeLength(widths: BarWidths, module: number): number {
  return (widths.reduce((sum, width) => sum + width, 0) + 2 * QUIET_ZONE) * module
}

type BarcodeProps = {
  widths: BarWidths
  /** CSS pixels of the narrowest bar; whole pixels of the screen, so that all bars have sharp edges. */
  module: number
  /** CSS pixels. */
  height: number
  label: string
  /** Turned by a right angle, for a screen that is higher than wide. */
  upright?: boolean
  className?: string
}

/** In modules along the bars; across they have the height 1. */
function barPath(widths: BarWidths, upright: boolean): string {
  let place = QUIET_ZONE
  const bars = widths.map((width, index) => {
    const start = place
    place += width
    if (index % 2 === 1) return ''
    return upright ? `M0 ${start}h1v${width}h-1z` : `M${start} 0h${width}v1h-${width}z`
  })
  return bars.join('')
}

/** Black bars on white, also in the dark theme and on paper. */
export function Barcode(props: BarcodeProps) {
  const { widths, module, height, label, upright = false, className } = props
  const length = barcodeLength(widths, module)
  const modules = barcodeLength(widths, 1)
  return (
    <svg
      role="img"
      aria-label={label}
      width={upright ? height : length}
      height={upright ? length : height}
      viewBox={upright ? `0 0 1 ${modules}` : `0 0 ${modules} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      className={cn('bg-white', className)}
    >
      <path d={barPath(widths, upright)} />
    </svg>
  )
}
