import { NewOrderFields, newOrderLengths } from '@bancone/contract/new-orders'
import { zodResolver } from '@hookform/resolvers/zod'
import type { ComponentProps } from 'react'
import { Controller, type UseFormReturn, useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { hasCode } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { DraftFields, isKeyReused } from './new-order-draft.ts'

type Name = keyof DraftFields

const lengths: Partial<Record<Name, number>> = {
  'ID Ordine': newOrderLengths.number,
  Cliente: newOrderLengths.customer,
  'Phone Number': newOrderLengths.phone,
  Indirizzo: newOrderLengths.address,
  Ordine: newOrderLengths.details,
}

const wanted: Partial<Record<Name, string>> = {
  Cliente: 'Scrivi il nome del cliente.',
  'Phone Number': 'Scrivi un numero di telefono con almeno 6 cifre.',
  Ordine: 'Scrivi il prodotto richiesto.',
}

function isName(part: PropertyKey | undefined): part is Name {
  return typeof part === 'string' && part in lengths
}

/** The Italian message of a validation error. */
function fieldMessage({
  code,
  path,
}: Pick<z.core.$ZodRawIssue, 'code' | 'path'>): string | undefined {
  const name = path?.[0]
  if (!isName(name)) return undefined
  const most = lengths[name]
  if (code === 'too_big' && most !== undefined) {
    return `Al massimo ${formatNumber(most)} caratteri.`
  }
  return wanted[name]
}

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
  const { errors } = form.formState
  return (
    <>
      <TextField
        label="Cliente"
        autoComplete="off"
        autoCapitalize="words"
        required
        error={errors.Cliente?.message}
        {...form.register('Cliente')}
      />
      <TextField
        label="Telefono"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        hint="Facoltativo"
        error={errors['Phone Number']?.message}
        {...form.register('Phone Number')}
      />
      <TextField
        label="Indirizzo"
        autoComplete="off"
        hint="Facoltativo"
        error={errors.Indirizzo?.message}
        {...form.register('Indirizzo')}
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
            error={errors.Ordine?.message}
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
      error={form.formState.errors['ID Ordine']?.message}
      {...field}
      {...form.register('ID Ordine')}
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
