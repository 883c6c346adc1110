import { createOrder, type NewOrderFields } from '@bancone/contract/new-orders'
import { type OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { useFailure } from '../../../lib/use-failure.ts'
import { useIsMounted } from '../../../lib/use-is-mounted.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Field } from '../../../ui/field.tsx'
import { FormSheet } from '../../../ui/form-sheet.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { Prescriptions } from '../../../ui/prescriptions.tsx'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { invalidateOrderPages } from '../data/orders-cache.ts'
import { watchUserChange } from '../data/watch-user-change.ts'
import {
  clearOrderDraft,
  isKeyReused,
  isRefusal,
  nextAttempt,
  readOrderDraft,
  saveOrderDraft,
} from './new-order-draft.ts'
import {
  creationFailure,
  OrderNumberField,
  OrderTextFields,
  useOrderForm,
} from './order-text-fields.tsx'

type NewOrderSheetProps = ModalProps & {
  onCreated: () => void
  /** Opens the details of the created order. */
  onShow: (order: OrderRecord) => void
}

/** The toast does not name the customer. */
function notifyCreated(order: OrderRecord, onShow: NewOrderSheetProps['onShow']) {
  const number = order.fields['ID Ordine']
  toastSuccess(number === undefined ? 'Ordine salvato' : `Ordine ${number} salvato`, {
    about: 'new-order',
    action: { label: 'Apri', run: () => onShow(order) },
  })
}

/** The form of a new order. Unsaved content is kept when the sheet is closed. */
export function NewOrderSheet({ onClose, onReturnFocus, onCreated, onShow }: NewOrderSheetProps) {
  const create = useCreateOrder()
  const [draft] = useState(() => readOrderDraft().fields)
  const [more, setMore] = useState(draft['ID Ordine'] !== '')
  const { failure, fail } = useFailure()
  const statusId = useId()
  const form = useOrderForm(draft)
  const { setError, subscribe } = form
  const product = useWatch({ control: form.control, name: 'Ordine' })
  const { errors, isSubmitting } = form.formState
  /** The element that had the focus: with the shortcut it can be anywhere in the list. */
  const [before] = useState(() => document.activeElement)
  const isOpen = useIsMounted()
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => saveOrderDraft({ fields: values }),
      }),
    [subscribe],
  )

  function returnFocus() {
    const there = before instanceof HTMLElement && before.isConnected && before !== document.body
    if (there) before.focus()
    else onReturnFocus()
  }

  const save = form.handleSubmit(
    async (fields) => {
      try {
        const order = await create(fields)
        if (order) {
          onCreated()
          notifyCreated(order, onShow)
        }
        if (isOpen()) onClose()
      } catch (error) {
        // The sheet was closed: the form cannot show the error.
        if (!isOpen()) {
          toastError("L'ordine non è stato salvato", {
            about: 'new-order',
            description: 'I dati sono ancora in «Nuovo ordine».',
          })
        }
        const { field, text } = creationFailure(error)
        if (field === null) return fail(text)
        setMore(true)
        setError(field, { message: text }, { shouldFocus: true })
      }
    },
    // Opens the section with the invalid field.
    (wrong) => (wrong['ID Ordine'] ? setMore(true) : undefined),
  )

  return (
    <FormSheet
      hasEntry
      title="Nuovo ordine"
      busy={isSubmitting}
      failure={failure}
      other={{ label: 'Chiudi' }}
      onSubmit={save}
      onClose={onClose}
      onReturnFocus={returnFocus}
    >
      <OrderTextFields form={form} />
      <Prescriptions text={product} recordId={null} />
      <Field id={statusId} label="Stato" error={errors.Stato?.message}>
        <NativeSelect
          id={statusId}
          label="Stato"
          className="[&_select]:h-12!"
          {...form.register('Stato')}
        >
          {OrderStatus.options.map((status) => (
            <option key={status} value={status}>
              {status}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <details
        className="group"
        open={more}
        onToggle={({ currentTarget }) => setMore(currentTarget.open)}
      >
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 rounded-control font-medium text-accent">
          <ChevronRight
            aria-hidden
            className="size-4 transition-transform duration-150 group-open:rotate-90"
          />
          Altro
        </summary>
        <OrderNumberField
          form={form}
          className="mt-1"
          hint="Facoltativo: senza, il numero viene dato da solo."
        />
      </details>
    </FormSheet>
  )
}

/** Creates the order of the draft, idempotently. */
function useCreateOrder() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(createOrder)

  /**
   * @returns null when the user has signed out meanwhile
   * @throws when the order was not created, or when that is unknown
   */
  return async (fields: NewOrderFields): Promise<OrderRecord | null> => {
    const user = watchUserChange()
    const attempt = nextAttempt(readOrderDraft().attempt, JSON.stringify(fields))
    // Stored before it is sent, so that the key survives a reload.
    saveOrderDraft({ attempt })
    try {
      const headers = { 'idempotency-key': attempt.key }
      const order = await mutateAsync({ headers, body: { fields } })
      if (user.hasChanged()) return null
      clearOrderDraft()
      return order
    } catch (error) {
      if (user.hasChanged()) return null
      if (isKeyReused(error)) saveOrderDraft({ attempt: null })
      else saveOrderDraft({ attempt: { ...attempt, refused: isRefusal(error) } })
      throw error
    } finally {
      user.stop()
      void invalidateOrderPages(client)
    }
  }
}
