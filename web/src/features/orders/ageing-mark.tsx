import { Hourglass, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { Ageing } from './ageing.ts'

/** Icons that replace the clock of 'In attesa', so that the age is not shown by colour alone. */
export const ageingIcons: Record<Ageing['level'], LucideIcon | null> = {
  quiet: null,
  due: Hourglass,
  late: TriangleAlert,
}

/** How long an order has been waiting, below its status. On narrow screens only the icon says 'late'. */
export function AgeingMark({ ageing: { level, text } }: { ageing: Ageing }) {
  return (
    <span
      data-level={level}
      className="text-xs leading-tight tabular-nums data-[level=late]:text-danger data-[level=quiet]:font-normal"
    >
      {level === 'late' ? <span className="lg:max-[90rem]:hidden">In ritardo · </span> : null}
      {text}
    </span>
  )
}

/** The same as a sentence, for screen readers. */
export function ageingSentence({ level, text }: Ageing): string {
  return level === 'late' ? `In ritardo: in attesa ${text}` : `In attesa ${text}`
}
