import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'

type SectionProps = {
  title: string
  /** What the section says, in one sentence. */
  summary?: string
  /** Beside the title. */
  action?: ReactNode
  children: ReactNode
}

/** A card with a title, framed as the charts are. */
export function Section({ title, summary, action, children }: SectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col gap-3 rounded-card border border-line bg-surface p-4 md:p-5 print:gap-2 print:p-3 print:break-inside-avoid"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 id={id} className="font-medium">
            {title}
          </h2>
          {summary ? <p className="text-sm text-pretty text-muted">{summary}</p> : null}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

/** In place of a section whose figures cannot be read now. They are read again with the page. */
export function Unreadable({ title }: { title: string }) {
  return (
    <Section title={title}>
      <p className="text-sm text-muted">Non si può leggere adesso: si riprova da solo.</p>
    </Section>
  )
}

type FiguresProps = {
  /** `before`: the value of the compared period. */
  figures: readonly (readonly [term: string, value: string, before?: string | undefined])[]
  className: string
}

/** Single figures of a section. */
export function Figures({ figures, className }: FiguresProps) {
  return (
    <dl className={className}>
      {figures.map(([term, value, before]) => (
        <div key={term}>
          <dt className="text-sm text-muted">{term}</dt>
          <dd className="text-xl font-medium tracking-tight tabular-nums">
            {value}
            {before === undefined ? null : (
              <span className="block text-sm font-normal tracking-normal text-muted">
                prima {before}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** So many items are listed at first. */
const FEW = 5

type FirstItemsProps<Item> = {
  items: readonly Item[]
  /** What they are, in the plural. */
  name: string
  children: (shown: readonly Item[]) => ReactNode
}

/** The first items of a list, and the button that shows the others. */
export function FirstItems<Item>({ items, name, children }: FirstItemsProps<Item>) {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      {children(isWhole ? items : items.slice(0, FEW))}
      {items.length > FEW ? (
        <Button
          look="link"
          size="bare"
          className="min-h-8 self-start pointer-coarse:min-h-11"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? `Mostra meno ${name}` : `Mostra tutte le ${items.length} ${name}`}
        </Button>
      ) : null}
    </>
  )
}
