import type { AirtableAccess } from '@bancone/contract/airtable'
import { Alert } from '../../ui/alert.tsx'
import { accessProblems } from './airtable-texts.ts'

/** What a token may do. */
export function AccessResult({ access }: { access: AirtableAccess }) {
  const { problem, canReadSchema, canManageWebhooks } = access
  if (problem !== null) return <Alert tone="error">{accessProblems[problem]}</Alert>
  const missing = [
    !canManageWebhooks && 'webhook:manage, per gli avvisi di Airtable al posto del controllo',
    !canReadSchema && 'schema.bases:read, per sapere quali colonne mancano',
  ].filter((text) => text !== false)
  return (
    <Alert tone={missing.length === 0 ? 'done' : 'notice'}>
      <p className="font-medium">Il token legge gli ordini</p>
      {missing.length === 0 ? (
        <p>Ha anche i permessi per gli avvisi e per le colonne.</p>
      ) : (
        <>
          <p>Non ha questi permessi, che si possono aggiungere in Airtable:</p>
          <ul className="list-disc pl-4.5 wrap-anywhere">
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  )
}
