import { newOrderLengths } from '@bancone/contract/new-orders'
import { listOrders } from '@bancone/contract/orders'
import { paths } from '@bancone/contract/pages'
import {
  confirmWhatsAppDraft,
  dismissWhatsAppDraft,
  listWhatsAppDrafts,
  type WhatsAppDraft,
} from '@bancone/contract/whatsapp-drafts'
import { getOrderWhatsApp } from '@bancone/contract/whatsapp-orders'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { call } from '../../../lib/api.ts'
import { endpointKey, updateCached } from '../../../lib/endpoint-query.ts'
import { formFields } from '../../../lib/form-fields.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { unlessGone, useAction } from '../../../lib/use-action.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Alert } from '../../../ui/alert.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { ActionSheet } from '../../../ui/form-sheet.tsx'
import { Prescriptions } from '../../../ui/prescriptions.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toastSuccess } from '../../../ui/toast.ts'

const schema = confirmWhatsAppDraft.body.shape.fields

function fieldMessage({ code, path }: { code?: string; path?: PropertyKey[] | undefined }): string {
  if (code === 'too_big') return 'Il testo è troppo lungo.'
  if (path?.[0] === 'Phone Number') return 'Scrivi un numero di telefono con almeno 6 cifre.'
  return path?.[0] === 'Cliente' ? 'Scrivi il nome del cliente.' : 'Scrivi il prodotto richiesto.'
}

type DraftSheetProps = ModalProps & {
  draft: WhatsAppDraft
  /** Whether it waits for a decision. Other messages become an order or stay what they are. */
  isWaiting: boolean
}

/** An order as the customer has written it, to be corrected and confirmed, or dismissed. */
export function DraftSheet({ draft, isWaiting, onClose, onReturnFocus }: DraftSheetProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const formId = useId()
  const { busy, failure, run } = useAction()
  const form = useForm({
    resolver: zodResolver(schema, { error: fieldMessage }),
    defaultValues: {
      Cliente: draft.customer ?? '',
      // Undefined, not empty, where there is none.
      ...(draft.phone !== null && { 'Phone Number': draft.phone }),
      Ordine: draft.text,
    },
  })
  const field = formFields(form)
  const product = useWatch({ control: form.control, name: 'Ordine' })
  const params = { draftId: draft.id }

  /** It is settled here or by a colleague. */
  async function leave() {
    onClose()
    await updateCached(client, listWhatsAppDrafts, ({ drafts }) => ({
      drafts: drafts.filter(({ id }) => id !== draft.id),
    }))
  }

  const confirm = form.handleSubmit((fields) => {
    return run(async () => {
      const order = await call(confirmWhatsAppDraft, { params, body: { fields } })
      void client.invalidateQueries({ queryKey: endpointKey(listOrders) })
      void client.invalidateQueries({ queryKey: endpointKey(getOrderWhatsApp) })
      const number = order.fields['ID Ordine']
      toastSuccess(number === undefined ? 'Ordine creato' : `Ordine ${number} creato`, {
        about: 'whatsapp-draft',
        action: {
          label: 'Apri',
          run: () => void navigate(`${paths.dashboard}?ordine=${order.id}`),
        },
      })
      await leave()
    })
  })

  function dismiss() {
    void run(async () => {
      await unlessGone(call(dismissWhatsAppDraft, { params }), 'whatsapp.draft_not_found')
      await leave()
    })
  }

  return (
    <ActionSheet
      title="Ordine da WhatsApp"
      confirm="Crea ordine"
      confirming="Un momento…"
      busy={busy}
      action={formId}
      other={{
        ...(isWaiting ? { label: 'Ignora', onClick: dismiss } : { label: 'Annulla' }),
        inactive: busy,
      }}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <form
        id={formId}
        noValidate
        autoComplete="off"
        onSubmit={confirm}
        className="flex flex-col gap-4"
      >
        <p className="text-sm text-muted">
          Scritto su WhatsApp il {formatDateTime(draft.at)}. Finché non lo confermi non è un ordine:
          non viene contato e non arriva ad Airtable.
        </p>
        {draft.isDeleted ? (
          <Alert tone="notice">
            Il cliente ha poi eliminato questo messaggio: prima di creare l'ordine chiedi conferma.
          </Alert>
        ) : null}
        <FailureAlert failure={failure} />
        <TextField label="Cliente" autoComplete="off" {...field('Cliente')} />
        <TextField
          label="Telefono"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          hint={
            draft.phone === null
              ? 'WhatsApp non mostra il numero di questo cliente.'
              : 'Facoltativo'
          }
          {...field('Phone Number', {
            setValueAs: (text: string | undefined) => text || undefined,
          })}
        />
        <Controller
          control={form.control}
          name="Ordine"
          render={({ field: order, fieldState }) => (
            <TextArea
              label="Prodotto richiesto"
              autoComplete="off"
              maxCharacters={newOrderLengths.details}
              error={fieldState.error?.message}
              {...order}
            />
          )}
        />
        <Prescriptions text={product} recordId={null} />
      </form>
    </ActionSheet>
  )
}
