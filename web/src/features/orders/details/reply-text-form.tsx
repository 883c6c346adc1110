import {
  addReplyText,
  REPLY_TEXT_LENGTH,
  REPLY_TITLE_LENGTH,
  type ReplyText,
  replyPlaceholders,
} from '@bancone/contract/reply-texts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { errorMessage } from '../../../lib/messages.ts'
import { unknownPlaceholders } from '../../../lib/reply-placeholders.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'

export type WrittenReply = Pick<ReplyText, 'title' | 'text'>

const placeholders = [
  { word: replyPlaceholders.name, label: 'Nome del cliente' },
  { word: replyPlaceholders.number, label: "Numero dell'ordine" },
]

type ReplyTextFormProps = {
  written?: WrittenReply
  /** @throws when it could not be saved */
  onSave: (written: WrittenReply) => Promise<void>
  onCancel: () => void
}

export function ReplyTextForm({ written, onSave, onCancel }: ReplyTextFormProps) {
  const { title = '', text = '' } = written ?? {}
  const form = useForm({
    resolver: zodResolver(addReplyText.body),
    defaultValues: { title, text },
  })
  const { errors, isSubmitting } = form.formState
  const { setFocus } = form
  // The form replaces the button that was pressed.
  useEffect(() => setFocus('title'), [setFocus])
  const place = useRef<HTMLFormElement>(null)
  const unknown = unknownPlaceholders(useWatch({ control: form.control, name: 'text' }))

  const save = form.handleSubmit(async (values) => {
    try {
      await onSave(values)
    } catch (error) {
      form.setError('root', { message: errorMessage(error) })
    }
  })

  function insert(word: string) {
    const area = place.current?.querySelector('textarea')
    if (!area) return
    area.setRangeText(word, area.selectionStart, area.selectionEnd, 'end')
    form.setValue('text', area.value, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
    area.focus()
  }

  return (
    <form ref={place} className="flex flex-col gap-3 py-1" onSubmit={(event) => void save(event)}>
      <TextField
        label="Titolo"
        autoComplete="off"
        maxLength={REPLY_TITLE_LENGTH}
        error={errors.title && 'Scrivi un titolo'}
        {...form.register('title')}
      />
      <Controller
        control={form.control}
        name="text"
        render={({ field }) => (
          <TextArea
            label="Testo"
            maxCharacters={REPLY_TEXT_LENGTH}
            error={errors.text && field.value.trim() === '' ? 'Scrivi il testo' : undefined}
            {...field}
          />
        )}
      />
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-sm text-muted">Inserisci:</span>
        {placeholders.map(({ word, label }) => (
          <Button key={word} size="small" onClick={() => insert(word)}>
            {label}
          </Button>
        ))}
      </div>
      <div role="status" className="text-sm text-pending empty:hidden">
        {unknown.length > 0
          ? `${unknown.join(', ')}: non è un segnaposto, il cliente lo leggerebbe così com'è.`
          : null}
      </div>
      {errors.root?.message ? <Alert tone="error">{errors.root.message}</Alert> : null}
      <div className="flex gap-2">
        <Button type="submit" look="primary" inactive={isSubmitting}>
          {isSubmitting ? 'Salvataggio…' : 'Salva testo'}
        </Button>
        <Button onClick={onCancel}>Annulla</Button>
      </div>
    </form>
  )
}
