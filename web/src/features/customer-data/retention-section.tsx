import {
  changeOrderRetention,
  getOrderRetention,
  type OwnOrderRetention,
  previewOwnOrderRetention,
} from '@bancone/contract/order-retention'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import {
  retentionExceptions,
  retentionIntro,
  retentionLoss,
} from '../../lib/order-retention-texts.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'

type Days = OwnOrderRetention['orderDays']

const offered = [30, 60, 90, 180, 365, 730]

function daysText(days: Days): string {
  if (days === null) return 'mai'
  if (days === 365) return '1 anno'
  return days === 730 ? '2 anni' : `${days} giorni`
}

/** The value of an option. */
const optionOf = (days: Days) => String(days ?? '')

function RetentionForm({ loaded }: { loaded: OwnOrderRetention }) {
  const client = useQueryClient()
  const [before, setBefore] = useState(loaded.orderDays)
  const [chosen, setChosen] = useState(loaded.orderDays)
  const [loss, setLoss] = useState<string | null>(null)
  const { busy, failure, clearFailure, run } = useAction()
  const select = useRef<HTMLSelectElement>(null)
  const days = [...new Set([...offered, ...(before === null ? [] : [before])])].sort(
    (a, b) => a - b,
  )

  async function save() {
    const saved = await call(changeOrderRetention, { body: { before, orderDays: chosen } })
    client.setQueryData(endpointKey(getOrderRetention, {}), saved)
    setBefore(saved.orderDays)
    toastSuccess('Durata salvata')
  }

  async function submit() {
    clearFailure()
    await run(async () => {
      const orderDays = chosen ?? loaded.platformDays
      const shortens = chosen !== before && orderDays !== null
      const orders = shortens
        ? (await call(previewOwnOrderRetention, { query: { orderDays } })).orders
        : 0
      if (orders === 0) await save()
      else setLoss(retentionLoss(orders))
    })
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <FailureAlert failure={failure} />
      <SelectField
        ref={select}
        label="Quanto tempo dopo l'ultima modifica"
        className="md:max-w-80"
        value={optionOf(chosen)}
        onChange={({ target }) => setChosen(target.value === '' ? null : Number(target.value))}
      >
        <option value="">Come la piattaforma: {daysText(loaded.platformDays)}</option>
        {days.map((each) => (
          <option key={each} value={optionOf(each)}>
            {daysText(each)}
          </option>
        ))}
      </SelectField>
      <p className="text-sm text-pretty text-muted">
        {retentionExceptions} Per un reclamo o una causa, blocca l'eliminazione nei dettagli
        dell'ordine.
      </p>
      {loaded.isOnAirtable ? (
        <p className="text-sm text-pretty text-muted">
          I tuoi ordini sono in Airtable, e lì restano finché li elimini tu: la durata vale per
          quelli che sono solo qui.
        </p>
      ) : null}
      <Button type="submit" look="primary" className="self-start" inactive={busy}>
        {busy ? 'Salvataggio in corso…' : 'Salva la durata'}
      </Button>
      {loss === null ? null : (
        <ConfirmDialog
          title="Eliminare i dati dei clienti?"
          text={loss}
          confirm="Salva ed elimina"
          confirming="Salvataggio in corso…"
          onConfirm={save}
          onClose={() => setLoss(null)}
          onReturnFocus={() => select.current?.focus()}
        />
      )}
    </form>
  )
}

/** For how long the pharmacy's orders keep the data of their customers. */
export function RetentionSection() {
  const id = useId()
  const query = useEndpoint(getOrderRetention, {})
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface px-4 py-4 md:px-5 md:py-5 print:hidden"
    >
      <h2 id={id} className="text-lg leading-snug font-medium tracking-tight">
        Dati dei clienti negli ordini
      </h2>
      <p className="mt-1 mb-4 text-sm text-pretty text-muted">{retentionIntro}</p>
      <QueryStates
        query={query}
        otherwise="Non è stato possibile leggere la durata. Riprova."
        skeleton={
          <Loading>
            <Skeleton shape="control" className="h-12 md:max-w-80" />
          </Loading>
        }
      >
        {(loaded) => <RetentionForm loaded={loaded} />}
      </QueryStates>
    </section>
  )
}
