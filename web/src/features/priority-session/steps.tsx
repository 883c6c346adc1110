import { card } from './styles.ts'

const steps = [
  'Cliccare all’arrivo in farmacia',
  'Il farmacista viene avvisato',
  'La chiamata arriva con priorità',
  'Alla chiamata andare al banco',
]

/** How it works. */
export function Steps() {
  return (
    <section className={card} aria-labelledby="come-funziona">
      <h2 id="come-funziona" className="font-medium">
        Come funziona
      </h2>
      <ol className="mt-3 flex flex-col gap-3">
        {steps.map((step, index) => (
          <li key={step} className="flex items-center gap-3">
            <span
              aria-hidden
              className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-medium text-accent"
            >
              {index + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
    </section>
  )
}
