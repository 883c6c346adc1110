import { type AirtableCheck, checkAirtable } from '@bancone/contract/admin-pharmacies'
import { PlugZap } from 'lucide-react'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'

const problems: Record<NonNullable<AirtableCheck['problem']>, string> = {
  not_configured: 'Manca un token per questa base.',
  wrong_token: 'Airtable non riconosce il token: è sbagliato, scaduto o revocato.',
  refused: 'Airtable ha rifiutato la richiesta: il token non può leggere questa base.',
  base_not_found: 'La base non esiste, o il token non la vede: controlla il Base ID.',
  table_not_found: 'Nella base non c’è questa tabella: controlla il Table ID.',
  unreachable: 'Airtable non risponde. Riprova tra poco.',
}

function foundText({ base, table }: AirtableCheck): string | null {
  const found = [base && `Base «${base}»`, table && `tabella «${table}»`].filter(Boolean)
  return found.length === 0 ? null : `${found.join(', ')}.`
}

function CheckResult({ check }: { check: AirtableCheck }) {
  const { problem, missingColumns } = check
  if (problem !== null) return <Alert tone="error">{problems[problem]}</Alert>
  const found = foundText(check)
  if (missingColumns.length === 0) {
    return (
      <Alert tone="done">
        <p className="font-medium">Connessione riuscita</p>
        <p className="wrap-anywhere">{found} Le colonne degli ordini ci sono tutte.</p>
      </Alert>
    )
  }
  return (
    <Alert tone="notice">
      <p className="font-medium">Connessione riuscita, ma nella tabella mancano delle colonne</p>
      {found ? <p className="wrap-anywhere">{found}</p> : null}
      <ul className="list-disc pl-4.5">
        {missingColumns.map((column) => (
          <li key={column}>{column}</li>
        ))}
      </ul>
    </Alert>
  )
}

/** Asks Airtable for the base and the table, and shows what it answers. */
export function AirtableCheckButton({ base, table }: { base: string; table: string }) {
  const { mutate, data, error, isPending, variables } = useEndpointMutation(checkAirtable)
  const body = { airtable_base_id: base.trim(), airtable_table_id: table.trim() }
  const isMissing = body.airtable_base_id === '' || body.airtable_table_id === ''
  // A result is of the ids that it was asked for.
  const isCurrent =
    variables?.body.airtable_base_id === body.airtable_base_id &&
    variables.body.airtable_table_id === body.airtable_table_id
  return (
    <div className="flex flex-col gap-3">
      <Button
        className="self-start"
        inactive={isMissing || isPending}
        onClick={() => mutate({ body })}
      >
        <PlugZap aria-hidden />
        {isPending ? 'Prova in corso…' : 'Prova connessione'}
      </Button>
      {isCurrent && data ? <CheckResult check={data} /> : null}
      {isCurrent && error ? <Alert tone="error">{errorMessage(error)}</Alert> : null}
    </div>
  )
}
