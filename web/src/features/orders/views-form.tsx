import { VIEW_NAME_LENGTH } from '@bancone/contract/order-views'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { errorMessage } from '../../lib/messages.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'

const Named = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Scrivi un nome per la vista.')
    .max(VIEW_NAME_LENGTH, `Usa al massimo ${VIEW_NAME_LENGTH} caratteri.`),
})

type ViewFormProps = {
  /** Accessible name of the form. */
  title: string
  name: string
  /** @throws when the name could not be saved; the error is shown at the field */
  onSave: (name: string) => Promise<void>
  onCancel: () => void
}

/** A form for the name of a view. */
export function ViewForm({ title, name, onSave, onCancel }: ViewFormProps) {
  const form = useForm({ resolver: zodResolver(Named), defaultValues: { name } })
  const { setFocus, setError } = form
  const { errors, isSubmitting } = form.formState
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus])

  const submit = form.handleSubmit(async (named) => {
    try {
      await onSave(named.name)
    } catch (error) {
      setError('name', { message: errorMessage(error) })
      setFocus('name')
    }
  })

  return (
    <form
      noValidate
      aria-label={title}
      onSubmit={submit}
      className="flex flex-col gap-2.5 rounded-control bg-sunken p-2.5"
    >
      <TextField
        label="Nome della vista"
        autoComplete="off"
        maxLength={VIEW_NAME_LENGTH}
        error={errors.name?.message}
        {...form.register('name')}
      />
      <div className="flex gap-2">
        <Button className="flex-1" onClick={onCancel}>
          Annulla
        </Button>
        <Button type="submit" look="primary" className="flex-1" inactive={isSubmitting}>
          Salva
        </Button>
      </div>
    </form>
  )
}
