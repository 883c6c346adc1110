import type { Endpoint } from '@bancone/contract/endpoint'
import type { ErrorCode } from '@bancone/contract/errors'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { hasCode } from '../lib/api.ts'
import { endpointKey } from '../lib/endpoint-query.ts'
import { formFields } from '../lib/form-fields.ts'
import { errorMessage } from '../lib/messages.ts'
import { useFailure } from '../lib/use-failure.ts'
import { FormSheet } from './form-sheet.tsx'
import type { ItemSheetProps } from './named-list-page.tsx'
import { TextArea } from './text-area.tsx'
import { TextField } from './text-field.tsx'
import { toastSuccess } from './toast.ts'

const MAX_DESCRIPTION = 1_000

type NamedItemSheetProps<Item, Fields> = ItemSheetProps<Item> & {
  /** For a new item, and for an edited one. */
  titles: readonly [string, string]
  done: readonly [string, string]
  /** Before the reason of a failure. */
  failed: string
  nameHint?: string | undefined
  /** The error that says that another item has the name. */
  takenCode: ErrorCode
  /** The endpoint of the list. */
  list: Endpoint
  /** @returns whether it was saved; false when the user has decided not to */
  save: (fields: Fields) => Promise<boolean>
  /** The item is saved and the list is read again, or that has failed. */
  onEnd?: () => void
  actionButton?: RefObject<HTMLButtonElement | null>
  /** The fields below name and description. */
  children: ReactNode
}

/** The sheet of an item of a `NamedListPage`, whose form is in the context. */
export function NamedItemSheet<Item, Fields extends { name: string }>(
  props: NamedItemSheetProps<Item, Fields>,
) {
  const { item, overlay, onReturnFocus, actionButton, takenCode, list, children } = props
  const client = useQueryClient()
  const { failure, fail, clearFailure } = useFailure()
  const form = useFormContext<{ name: string; description: string | null }, unknown, Fields>()
  const field = formFields(form)
  const { isDirty, isSubmitting } = form.formState
  const description = useWatch({ control: form.control, name: 'description' }) ?? ''
  const { setUnsaved } = overlay
  useEffect(() => setUnsaved(isDirty), [setUnsaved, isDirty])
  const which = item === null ? 0 : 1

  const submit = form.handleSubmit(async (fields) => {
    clearFailure()
    try {
      if (!(await props.save(fields))) return
      // The server decides the order of the list.
      await client.invalidateQueries({ queryKey: endpointKey(list) })
      toastSuccess(props.done[which], { description: fields.name })
      overlay.close()
    } catch (reason) {
      const text = errorMessage(reason)
      if (hasCode(reason, takenCode))
        form.setError('name', { message: text }, { shouldFocus: true })
      else fail(`${props.failed} ${text}`)
    } finally {
      props.onEnd?.()
    }
  })

  return (
    <FormSheet
      title={props.titles[which]}
      busy={isSubmitting}
      failure={failure}
      overlay={overlay}
      {...(actionButton && { actionButton })}
      onSubmit={submit}
      onClose={overlay.leave}
      onReturnFocus={onReturnFocus}
    >
      <TextField
        label="Nome"
        autoComplete="off"
        required
        hint={props.nameHint}
        {...field('name')}
      />
      <TextArea
        label="Descrizione"
        maxCharacters={MAX_DESCRIPTION}
        {...field('description')}
        value={description}
      />
      {children}
    </FormSheet>
  )
}
