import { NewOrderFields, newOrderLengths } from '@bancone/contract/new-orders'
import { zodResolver } from '@hookform/resolvers/zod'
import type { ComponentProps } from 'react'
import { Controller, type UseFormReturn, useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { hasCode } from '../../../lib/api.ts'
import { fieldTexts } from '../../../lib/field-texts.ts'
import { formFields } from '../../../lib/form-fields.ts'
import { formatNumber } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { DraftFields, isKeyReused } from './new-order-draft.ts'

const tooLong = (most: number) => `Al massimo ${formatNumber(most)} caratteri.`

const fieldMessage = fieldTexts({
  'ID Ordine': { other: tooLong(newOrderLengths.number) },
  Cliente: {
    too_big: tooLong(newOrderLengths.customer),
    other: 'Scrivi il nome del cliente.',
  },
  'Phone Number': {
    too_big: tooLong(newOrderLengths.phone),
    other: 'Scrivi un numero di telefono con almeno 6 cifre.',
  },
  Indirizzo: { other: tooLong(newOrderLengths.address) },
  Ordine: {
    too_big: tooLong(newOrderLengths.details),
    other: 'Scrivi il prodotto richiesto.',
  },
})

function filled(text: string): string | undefined {
  return text.trim() || undefined
}

/** The form's content as the contract expects it: empty optional fields are omitted. */
function filledFields(fields: DraftFields): z.input<typeof NewOrderFields> {
  return {
    ...fields,
    'ID Ordine': filled(fields['ID Ordine']),
    'Phone Number': filled(fields['Phone Number']),
    Indirizzo: filled(fields.Indirizzo),
  }
}

const schema = z.pipe(z.pipe(DraftFields, z.transform(filledFields)), NewOrderFields)

/** The form of an order that is typed in or corrected. */
export function useOrderForm(defaultValues: DraftFields): OrderForm {
  return useForm({ resolver: zodResolver(schema, { error: fieldMessage }), defaultValues })
}

type OrderForm = UseFormReturn<DraftFields, unknown, NewOrderFields>

/** The fields of an order that is typed in or corrected, without its status and number. */
export function OrderTextFields({ form }: { form: OrderForm }) {
  const fieldOf = formFields(form)
  return (
    <>
      <TextField
        label="Cliente"
        autoComplete="off"
        autoCapitalize="words"
        required
        {...fieldOf('Cliente')}
      />
      <TextField
        label="Telefono"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        hint="Facoltativo"
        {...fieldOf('Phone Number')}
      />
      <TextField
        label="Indirizzo"
        autoComplete="off"
        hint="Facoltativo"
        {...fieldOf('Indirizzo')}
      />
      <Controller
        control={form.control}
        name="Ordine"
        render={({ field }) => (
          <TextArea
            label="Prodotto richiesto"
            autoComplete="off"
            required
            maxCharacters={newOrderLengths.details}
            error={form.formState.errors.Ordine?.message}
            {...field}
          />
        )}
      />
    </>
  )
}

type OrderNumberFieldProps = Pick<ComponentProps<typeof TextField>, 'className' | 'hint'> & {
  form: OrderForm
}

export function OrderNumberField({ form, ...field }: OrderNumberFieldProps) {
  return (
    <TextField
      label="ID Ordine"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
      {...formFields(form)('ID Ordine')}
    />
  )
}

/** The message of a failed creation, and the field it belongs to; null for the whole form. */
type CreationFailure = { field: 'ID Ordine' | null; text: string }

export function creationFailure(error: unknown): CreationFailure {
  if (isKeyReused(error)) {
    return {
      field: null,
      text: "L'ordine era già stato salvato, con i dati di prima: lo trovi nell'elenco. Se ne vuoi un altro con questi dati, premi di nuovo «Salva».",
    }
  }
  const taken = hasCode(error, 'orders.number_taken')
  return { field: taken ? 'ID Ordine' : null, text: errorMessage(error) }
}
