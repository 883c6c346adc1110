import { OrderStatus } from '@bancone/contract/orders'
import { ChevronDown, Hourglass, LoaderCircle, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { cn } from '../../../ui/class-names.ts'
import type { Ageing } from '../data/ageing.ts'
import { knownStatus, statusLook } from '../data/order-status.tsx'

type StatusSelectProps = {
  id: string
  status: string
  label: string
  updating: boolean
  /** How long the order has been waiting. */
  ageing?: Ageing | null
  onChange: (status: OrderStatus) => void
}

const changing = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  ' ',
])

/**
 * On a closed select these keys would change the value, and save it, at once: on the way to 'Annullato' the order
 * would be confirmed. They open the list instead, where the browser supports that; so do letters (`keys.ts`). In an open list Chromium also
 * accepts the highlighted option on Escape, which 'Annulla modifica' can undo.
 */
function openOnKey(event: KeyboardEvent<HTMLSelectElement>) {
  const { key, ctrlKey, metaKey, altKey, currentTarget: select } = event
  if (ctrlKey || metaKey || altKey || !changing.has(key) || !('showPicker' in select)) return
  event.preventDefault()
  select.showPicker()
}

function onlyLeave(event: KeyboardEvent<HTMLSelectElement>) {
  if (event.key !== 'Tab') event.preventDefault()
}

/**
 * A transparent native select over a pill with the status: the pill may wrap and contain an icon, while keyboard,
 * phones and screen readers use the native control. During a change it is inactive but keeps the focus, which a
 * `disabled` control would lose.
 */
export function StatusSelect(props: StatusSelectProps) {
  const { id, status, label, updating, ageing = null, onChange } = props
  const { icon: StatusIcon, pill } = statusLook(status)
  const SettledIcon = (ageing && ageingIcons[ageing.level]) ?? StatusIcon
  const Icon = updating ? LoaderCircle : SettledIcon
  return (
    <span
      className={cn(
        'relative flex min-h-12 w-full items-center gap-1.5 rounded-2xl border px-3 text-sm leading-tight font-medium',
        'transition-colors duration-150 has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
        'has-focus-visible:outline-(--c-focus) lg:min-h-8 lg:text-[13px] lg:max-[90rem]:gap-1 lg:max-[90rem]:px-2',
        'lg:max-[90rem]:text-xs min-[90rem]:px-2.5',
        updating ? 'opacity-70' : 'hover:brightness-97 dark:hover:brightness-115',
        pill,
      )}
    >
      <Icon
        aria-hidden
        className={cn(
          'size-4 shrink-0 lg:size-3.5',
          updating ? 'animate-spin' : ageing?.level === 'late' && 'text-danger',
        )}
      />
      <span aria-hidden className="flex min-w-0 flex-1 flex-col items-start">
        {status || 'Senza stato'}
        {ageing ? <AgeingMark ageing={ageing} /> : null}
      </span>
      <ChevronDown
        aria-hidden
        className="size-3.5 shrink-0 opacity-70 lg:max-[90rem]:size-3 print:hidden"
      />
      <select
        id={id}
        aria-label={label}
        aria-describedby={ageing ? `${id}-age` : undefined}
        aria-disabled={updating || undefined}
        value={status}
        onKeyDown={updating ? onlyLeave : openOnKey}
        onChange={(event) => {
          const next = knownStatus(event.target.value)
          if (!updating && next !== null && next !== status) onChange(next)
        }}
        className="absolute inset-0 size-full appearance-none bg-surface text-base text-ink opacity-0 aria-disabled:pointer-events-none"
      >
        {knownStatus(status) === null ? (
          <option value={status} disabled>
            {status || 'Senza stato'}
          </option>
        ) : null}
        {OrderStatus.options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
      {ageing ? (
        <span id={`${id}-age`} hidden>
          {ageingSentence(ageing)}
        </span>
      ) : null}
    </span>
  )
}

/** Icons that replace the clock of 'In attesa', so that the age is not shown by colour alone. */
const ageingIcons: Record<Ageing['level'], LucideIcon | null> = {
  quiet: null,
  due: Hourglass,
  late: TriangleAlert,
}

/** How long an order has been waiting, below its status. On narrow screens only the icon says 'late'. */
function AgeingMark({ ageing: { level, text } }: { ageing: Ageing }) {
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
function ageingSentence({ level, text }: Ageing): string {
  return level === 'late' ? `In ritardo: in attesa ${text}` : `In attesa ${text}`
}
