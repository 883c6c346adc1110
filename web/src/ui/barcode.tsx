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
  /** CSS pixels of the narrowest bar; a whole number, so that all bars have sharp edges. */
  module: number
  /** CSS pixels. */
  height: number
  label: string
  /** Turned by a right angle, for a screen that is higher than wide. */
  upright?: boolean
  className?: string
}

function barPath({ widths, module, height, upright = false }: BarcodeProps): string {
  let place = QUIET_ZONE * module
  const bars = widths.map((width, index) => {
    const start = place
    const size = width * module
    place += size
    if (index % 2 === 1) return ''
    return upright
      ? `M0 ${start}h${height}v${size}h-${height}z`
      : `M${start} 0h${size}v${height}h-${size}z`
  })
  return bars.join('')
}

/** Black bars on white, also in the dark theme and on paper. */
export function Barcode(props: BarcodeProps) {
  const { widths, module, height, label, upright = false, className } = props
  const length = barcodeLength(widths, module)
  const [width, tall] = upright ? [height, length] : [length, height]
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={tall}
      viewBox={`0 0 ${width} ${tall}`}
      shapeRendering="crispEdges"
      className={cn('shrink-0 bg-white', className)}
    >
      <path d={barPath(props)} />
    </svg>
  )
}
