import type { PurgeCertificate, PurgeStep } from '@bancone/contract/pharmacy-life'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'

const stepNames: Record<PurgeStep, string> = {
  access: 'Accessi, chiavi e dispositivi',
  orders: 'Ordini e cronologia',
  offers: 'Offerte, prezzi e visite',
  pictures: 'Immagini',
  files: 'File ed esportazioni',
  people: 'Account dei colleghi',
  account: 'Farmacia e suo account',
}

function sums({ steps }: PurgeCertificate) {
  const removed = steps.flatMap((step) => Object.entries(step.removed))
  const files = removed.filter(([name]) => name === 'files')
  const sum = (entries: [string, number][]) => entries.reduce((all, [, count]) => all + count, 0)
  return { rows: sum(removed) - sum(files), files: sum(files) }
}

/** What is left of the pharmacies that were removed for ever. */
export function Certificates({ purged }: { purged: readonly PurgeCertificate[] }) {
  return (
    <section aria-labelledby="certificates" className="flex flex-col gap-3">
      <h2 id="certificates" className="text-lg font-medium">
        Eliminate per sempre
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {purged.map((certificate) => {
          const { rows, files } = sums(certificate)
          return (
            <li key={certificate.id} className="px-4 py-3.5">
              <p className="font-medium">{certificate.code}</p>
              <p className="mt-0.5 text-sm text-muted tabular-nums">
                Eliminata il {formatDateTime(certificate.deletedAt)}, per sempre il{' '}
                {formatDateTime(certificate.finishedAt)}
                {certificate.requestedBy === null ? ' allo scadere dei 30 giorni' : ' su richiesta'}
              </p>
              <details className="mt-1 text-sm">
                <summary className="cursor-pointer py-1 text-accent pointer-coarse:py-3">
                  Certificato: {formatNumber(rows)} righe e {formatNumber(files)} file cancellati
                </summary>
                <ul className="flex flex-col gap-1 pt-1 text-muted tabular-nums">
                  {certificate.steps.map(({ step, finishedAt, removed }) => (
                    <li key={step} className="wrap-anywhere">
                      <span className="text-ink">{stepNames[step]}</span>,{' '}
                      {formatDateTime(finishedAt)}
                      {Object.keys(removed).length > 0
                        ? `: ${Object.entries(removed)
                            .map(([name, count]) => `${name} ${formatNumber(count)}`)
                            .join(', ')}`
                        : null}
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
