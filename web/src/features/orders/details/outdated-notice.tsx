import type { OutdatedColumn } from '@bancone/contract/order-details'
import { Alert } from '../../../ui/alert.tsx'

const reasonText: Record<OutdatedColumn['reason'], string> = {
  missing: 'la colonna manca nella tabella',
  unreadable: 'la cella non contiene un testo che si legge',
}

/** Which fields of the order may be old, because Airtable does not tell them. */
export function OutdatedNotice({ outdated }: { outdated: readonly OutdatedColumn[] }) {
  if (outdated.length === 0) return null
  return (
    <div className="mb-4">
      <Alert tone="notice">
        Da Airtable non arriva più tutto: questi dati possono essere vecchi.
        <ul className="mt-1 list-disc pl-5">
          {outdated.map(({ column, reason }) => (
            <li key={column}>
              {column}: {reasonText[reason]}
            </li>
          ))}
        </ul>
      </Alert>
    </div>
  )
}
