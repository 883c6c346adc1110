import type { PrioritySettings } from '@bancone/contract/priority'
import { formatNumber } from '../../../lib/format.ts'

/** How the pharmacy uses priority access, for those who cannot change it. */
export function SettingsFacts({ settings }: { settings: PrioritySettings }) {
  const facts = [
    ['Giorni di validità del link', formatNumber(settings.linkDays)],
    ["Minuti dopo i quali un'attesa è lunga", formatNumber(settings.lateMinutes)],
    ['Crea il link da solo', settings.issueOnStatus ?? 'Mai'],
    ['Messaggio WhatsApp', settings.message],
  ] as const
  return (
    <section
      aria-label="Impostazioni"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <p className="text-sm text-muted">Le impostazioni le cambiano i titolari della farmacia.</p>
      <dl className="flex flex-col gap-3">
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
