import { getOrder, HOLD_REASON_LENGTH, type OrderHold } from '@bancone/contract/order-details'
import { holdOrder, releaseOrder } from '@bancone/contract/order-retention'
import { useQueryClient } from '@tanstack/react-query'
import { Lock, LockOpen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { updateCached } from '../../../lib/endpoint-query.ts'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { useOwnPharmacy } from '../../../lib/own-pharmacy.ts'
import { useAction } from '../../../lib/use-action.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { OrderView } from '../order-view.ts'
import { DetailsSection } from './details-section.tsx'
import { hasCustomer } from './erased-notice.tsx'
import { actorName } from './history-texts.ts'
import { RelativeTime } from './relative-time.tsx'

type HoldFormProps = {
  /** @throws when it could not be saved */
  onHold: (reason: string) => Promise<void>
  onCancel: () => void
}

function HoldForm({ onHold, onCancel }: HoldFormProps) {
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string | undefined>()
  const { busy, failure, clearFailure, run } = useAction()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  async function submit() {
    clearFailure()
    const body = holdOrder.body.safeParse({ reason })
    if (body.success) await run(() => onHold(body.data.reason))
    else {
      setError('Scrivi il motivo.')
      field.current?.focus()
    }
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <FailureAlert failure={failure} />
      <TextField
        ref={field}
        label="Motivo"
        hint="Per esempio un reclamo in corso."
        autoComplete="off"
        required
        maxLength={HOLD_REASON_LENGTH}
        error={error}
        value={reason}
        onChange={({ target }) => {
          setReason(target.value)
          setError(undefined)
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" inactive={busy}>
          {busy ? 'Salvataggio…' : 'Blocca'}
        </Button>
        <Button onClick={onCancel}>Annulla</Button>
      </div>
    </form>
  )
}

function HoldFacts({ hold }: { hold: OrderHold }) {
  const now = useNow()
  return (
    <div className="rounded-control border border-line px-3 py-2">
      <p className="wrap-anywhere">Bloccata: {hold.reason}</p>
      <p className="text-sm text-muted">
        {hold.who ? `${actorName(hold.who)} · ` : null}
        <RelativeTime value={hold.at} now={now} />
      </p>
    </div>
  )
}

type HoldSectionProps = { order: OrderView; hold: OrderHold | null }

/** Whether the data of the order's customer may be deleted. Owners hold and release them. */
export function HoldSection({ order, hold }: HoldSectionProps) {
  const { recordId } = order
  const client = useQueryClient()
  const isOwner = useOwnPharmacy().data?.role === 'owner'
  const [open, setOpen] = useState<'form' | 'question' | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const returnFocus = () => focusFirstButton(content)

  const update = (next: OrderHold | null) =>
    updateCached(client, getOrder, (details) =>
      details.order.id === recordId ? { ...details, hold: next } : details,
    )

  function close() {
    setOpen(null)
    returnFocus()
  }

  async function holdIt(reason: string) {
    await update(await call(holdOrder, { params: { recordId }, body: { reason } }))
    close()
  }

  async function release() {
    await call(releaseOrder, { params: { recordId } })
    await update(null)
  }

  if (!hold && !(isOwner && hasCustomer(order))) return null
  return (
    <DetailsSection
      title="Eliminazione dei dati"
      hint={
        hold
          ? 'I dati del cliente restano finché non la sblocchi'
          : 'I dati del cliente si eliminano quando scadono, o se lo chiede'
      }
    >
      <div ref={content} className="flex flex-col items-start gap-3 *:w-full">
        {hold ? <HoldFacts hold={hold} /> : null}
        {isOwner && !hold && open === 'form' ? <HoldForm onHold={holdIt} onCancel={close} /> : null}
        {isOwner && open !== 'form' ? (
          <Button className="w-auto!" onClick={() => setOpen(hold ? 'question' : 'form')}>
            {hold ? <LockOpen aria-hidden /> : <Lock aria-hidden />}
            {hold ? 'Sblocca' : 'Blocca'}
          </Button>
        ) : null}
      </div>
      {open === 'question' ? (
        <ConfirmDialog
          title="Sbloccare l'eliminazione?"
          text="I dati del cliente si eliminano quando scadono, al più presto la prossima notte, o se il cliente lo chiede."
          confirm="Sblocca"
          confirming="Salvataggio in corso…"
          onConfirm={release}
          onClose={() => setOpen(null)}
          onReturnFocus={returnFocus}
        />
      ) : null}
    </DetailsSection>
  )
}
