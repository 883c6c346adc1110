import {
  type AdminPharmacy,
  changePharmacy,
  createPharmacy,
  getAdminPharmacy,
} from '@bancone/contract/admin-pharmacies'
import type { SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { zodResolver } from '@hookform/resolvers/zod'
import { type ComponentType, useEffect, useMemo, useRef, useState } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { ApiError, call, hasCode } from '../../../lib/api.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useBeforeUnloadPrompt } from '../../../lib/use-before-unload-prompt.ts'
import { useFailure } from '../../../lib/use-failure.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { LeaveDialog } from '../../../ui/leave-dialog.tsx'
import { AirtableSection, sharedTableText, useTableSharers } from './airtable-section.tsx'
import { BasicSection } from './basic-section.tsx'
import {
  discardPharmacyDraft,
  draftOf,
  isChanged,
  type PharmacyDraft,
  readPharmacyDraft,
  rebased,
  savePharmacyDraft,
  toNewPharmacy,
  toPharmacyChange,
} from './pharmacy-draft.ts'
import { errorFields, pharmacySchema } from './pharmacy-schema.ts'
import { PlanSection } from './plan-section.tsx'

/** Asks the administrator for the password. Passed in, because it belongs to another feature. */
export type Reauthentication = ComponentType<{
  onConfirmed: () => void
  onClose: () => void
  onReturnFocus: () => void
}>

type PharmacyFormProps = {
  /** Null for a new pharmacy. */
  pharmacy: AdminPharmacy | null
  plans: readonly SubscriptionPlan[]
  Reauthentication: Reauthentication
  onSaved: (draft: PharmacyDraft) => void
  onClose: () => void
}

function failureTitle(error: unknown): string {
  return hasCode(error, 'pharmacies.weak_password')
    ? "Errore durante l'aggiornamento della password"
    : 'Errore durante il salvataggio della farmacia'
}

function send(pharmacy: AdminPharmacy | null, draft: PharmacyDraft) {
  return pharmacy === null
    ? call(createPharmacy, { body: toNewPharmacy(draft) })
    : call(changePharmacy, {
        params: { pharmacyId: pharmacy.id },
        body: toPharmacyChange(draft),
      })
}

/** Creates or edits a pharmacy. */
export function PharmacyForm(props: PharmacyFormProps) {
  const { plans, Reauthentication, onSaved, onClose } = props
  const [pharmacy, setPharmacy] = useState(props.pharmacy)
  const saveButton = useRef<HTMLButtonElement>(null)
  const cancelButton = useRef<HTMLButtonElement>(null)
  const [stored] = useState(() => readPharmacyDraft(pharmacy))
  const [restored, setRestored] = useState(stored !== null)
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState<'password' | 'leave' | 'table' | null>(null)
  const { failure, fail, clearFailure } = useFailure()
  const schema = useMemo(() => pharmacySchema(pharmacy), [pharmacy])
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: stored ?? draftOf(pharmacy),
  })
  const { control, setError, subscribe } = form
  const unsaved = useWatch({ control, compute: (draft) => isChanged(draft, pharmacy) })
  useBeforeUnloadPrompt(unsaved)
  const [base, table, name] = useWatch({
    control,
    name: ['airtable_base_id', 'airtable_table_id', 'name'],
  })
  const sharers = useTableSharers({ id: pharmacy?.id ?? null, base, table })
  const isTableNew =
    base.trim() !== pharmacy?.airtable_base_id || table.trim() !== pharmacy.airtable_table_id
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => savePharmacyDraft(pharmacy, values),
      }),
    [subscribe, pharmacy],
  )

  function discard() {
    discardPharmacyDraft(pharmacy)
    onClose()
  }

  async function rebase(from: AdminPharmacy, draft: PharmacyDraft) {
    const { pharmacy: now } = await call(getAdminPharmacy, { params: { pharmacyId: from.id } })
    form.reset(rebased(draft, from, now))
    setPharmacy(now)
  }

  async function submitDraft(draft: PharmacyDraft) {
    if (busy) return
    clearFailure()
    setBusy(true)
    try {
      await send(pharmacy, draft)
      discardPharmacyDraft(pharmacy)
      onSaved(draft)
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null
      if (code === 'session.reauthentication_needed') {
        setAsks('password')
        return
      }
      if (code === 'pharmacies.changed_meanwhile' && pharmacy) await rebase(pharmacy, draft)
      const text = errorMessage(error)
      const field = code && errorFields[code]
      if (field) setError(field, { message: text }, { shouldFocus: true })
      fail(`${failureTitle(error)}. ${text}`)
    } finally {
      setBusy(false)
    }
  }

  const submit = form.handleSubmit(async (draft) => {
    if (sharers.length > 0 && isTableNew) setAsks('table')
    else await submitDraft(draft)
  })

  return (
    <FormProvider {...form}>
      <form
        noValidate
        autoComplete="off"
        onSubmit={submit}
        className="flex flex-col gap-4 md:gap-5"
      >
        {restored ? (
          <Alert
            tone="notice"
            action={
              <Button
                size="small"
                onClick={() => {
                  form.reset(draftOf(pharmacy))
                  discardPharmacyDraft(pharmacy)
                  setRestored(false)
                  form.setFocus('name')
                }}
              >
                Scarta
              </Button>
            }
          >
            Abbiamo ritrovato le modifiche che non avevi salvato.
          </Alert>
        ) : null}
        <BasicSection isNew={pharmacy === null} />
        <AirtableSection pharmacyId={pharmacy?.id ?? null} />
        <PlanSection plans={plans} />
        <footer
          data-form-bar
          className="sticky bottom-0 z-10 -mx-4 flex flex-col gap-3 border-t border-line bg-canvas px-4 py-3 pb-[max(12px,env(safe-area-inset-bottom))] lg:-mx-6 lg:px-6"
        >
          <FailureAlert failure={failure} />
          <div className="flex flex-wrap items-center justify-end gap-2 max-sm:*:flex-1">
            <Button
              ref={cancelButton}
              inactive={busy}
              onClick={() => (unsaved ? setAsks('leave') : onClose())}
            >
              Annulla
            </Button>
            <Button ref={saveButton} type="submit" look="primary" inactive={busy}>
              {busy ? 'Salvataggio in corso…' : 'Salva'}
            </Button>
          </div>
        </footer>
      </form>
      {asks === 'leave' ? (
        <LeaveDialog
          title="Modifiche non salvate"
          text="Se lasci questa pagina, quello che hai scritto si perde."
          leave="Lascia senza salvare"
          onStay={() => setAsks(null)}
          onLeave={discard}
          onReturnFocus={() => cancelButton.current?.focus()}
        />
      ) : null}
      {asks === 'table' ? (
        <ConfirmDialog
          title="Usare la stessa tabella?"
          text={sharedTableText(sharers, name)}
          look="primary"
          confirm="Usa la stessa tabella"
          confirming="Salvataggio in corso…"
          onConfirm={() => form.handleSubmit(submitDraft)()}
          onClose={() => setAsks((before) => (before === 'table' ? null : before))}
          onReturnFocus={() => saveButton.current?.focus()}
        />
      ) : null}
      {asks === 'password' ? (
        <Reauthentication
          onConfirmed={() => {
            setAsks(null)
            void form.handleSubmit(submitDraft)()
          }}
          onClose={() => setAsks(null)}
          onReturnFocus={() => saveButton.current?.focus()}
        />
      ) : null}
    </FormProvider>
  )
}
