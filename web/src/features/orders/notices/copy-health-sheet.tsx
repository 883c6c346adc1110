import type { Response } from '@bancone/contract/endpoint'
import { getOrdersHealth } from '@bancone/contract/order-diagnostics'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../lib/format.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { LinesSkeleton } from '../../../ui/skeleton.tsx'
import { Detail, Moment } from '../data/detail.tsx'
import { quarantineReasonText, troubleText } from './copy-health-texts.ts'

type Health = Response<typeof getOrdersHealth>

function MaybeMoment({ value, otherwise }: { value: string | null; otherwise: string }) {
  return value === null ? <span className="text-muted">{otherwise}</span> : <Moment value={value} />
}

function Verdict({ health }: { health: Health }) {
  const { lastError, setAside, missingColumns } = health
  const well = lastError === null && setAside === 0 && missingColumns.length === 0
  const Icon = well ? CircleCheck : CircleAlert
  return (
    <p
      className={`mb-4 flex items-start gap-2 font-medium ${well ? 'text-confirmed' : 'text-pending'}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0" />
      {well ? 'Tutto in ordine' : "C'è qualcosa da controllare"}
    </p>
  )
}

function Queue({ queue, queueSince }: Health) {
  if (queue === 0) return <span className="text-muted">Nessuna</span>
  return (
    <>
      {formatCount(queue, 'modifica', 'modifiche')}
      {queueSince ? (
        <span className="text-muted">, la più vecchia del {formatDateTime(queueSince)}</span>
      ) : null}
    </>
  )
}

function QuarantinedRecords({ setAside, records }: Health) {
  return (
    <>
      <p>
        Bancone non capisce alcune colonne di {setAside === 1 ? 'questo ordine' : 'questi ordini'}:
        correggili in Airtable e la copia si aggiorna da sola.
      </p>
      <ul className="mt-2 flex flex-col gap-2">
        {records.map(({ recordId, reason, since }) => (
          <li key={recordId} className="rounded-control border border-line px-3 py-2 text-sm">
            <span className="block font-mono text-xs text-muted">{recordId}</span>
            {quarantineReasonText(reason)}
            <span className="block text-xs text-muted">Dal {formatDateTime(since)}</span>
          </li>
        ))}
      </ul>
      {setAside > records.length ? (
        <p className="mt-2 text-sm text-muted">e altri {formatNumber(setAside - records.length)}</p>
      ) : null}
    </>
  )
}

function Facts({ health }: { health: Health }) {
  if (health.source === 'database') {
    return (
      <p>Gli ordini di questa farmacia sono tenuti da Bancone: non c'è una copia di Airtable.</p>
    )
  }
  const { lastPull, lastError, lastSweep, setAside, missingColumns } = health
  return (
    <>
      <Verdict health={health} />
      <dl>
        <Detail term="Ultima lettura di Airtable">
          <MaybeMoment value={lastPull} otherwise="Non ancora riuscita" />
        </Detail>
        {lastError ? (
          <Detail term="Ultimo errore">
            {troubleText(lastError.kind)}
            <span className="mt-0.5 block text-sm text-muted">
              <Moment value={lastError.at} />
            </span>
          </Detail>
        ) : null}
        <Detail term="Modifiche in attesa di invio ad Airtable">
          <Queue {...health} />
        </Detail>
        {missingColumns.length > 0 ? (
          <Detail term="Colonne che mancano nella tabella">
            <span className="font-medium">{missingColumns.join(', ')}</span>
            <span className="mt-0.5 block text-sm text-muted">
              Aggiungile in Airtable con questi nomi: la copia si aggiorna da sola.
            </span>
          </Detail>
        ) : null}
        {setAside > 0 ? (
          <Detail term="Ordini che non si leggono del tutto">
            <QuarantinedRecords {...health} />
          </Detail>
        ) : null}
        <Detail term="Ultimo controllo degli ordini eliminati">
          <MaybeMoment value={lastSweep} otherwise="Non ancora fatto" />
        </Detail>
      </dl>
    </>
  )
}

/** Details on the state of the copy of the Airtable orders. */
export function CopyHealthSheet({ onClose, onReturnFocus }: ModalProps) {
  const query = useEndpoint(getOrdersHealth, {}, { gcTime: 0 })
  const footer = (
    <Button className="flex-1" onClick={onClose}>
      Chiudi
    </Button>
  )
  return (
    <Sheet
      title="Stato della copia"
      closeLabel="Chiudi lo stato della copia"
      footer={footer}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <QueryStates
        query={query}
        skeleton={
          <LinesSkeleton lines={['w-2/3', 'w-1/2', 'w-3/5']} line="h-4" className="gap-4" />
        }
      >
        {(health) => <Facts health={health} />}
      </QueryStates>
    </Sheet>
  )
}
