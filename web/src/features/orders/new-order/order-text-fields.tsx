import { type NewOrderFields, newOrderLengths } from '@bancone/contract/new-orders'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { DraftFields } from './new-order-draft.ts'

export type OrderForm = UseFormReturn<DraftFields, unknown, NewOrderFields>

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
