import {
  type AdminCategory,
  CategoryFields,
  changeCategory,
  createCategory,
  isMedicine,
  listAdminCategories,
  RegulatoryClass,
} from '@bancone/contract/product-categories'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { call, hasCode } from '../../lib/api.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Alert } from '../../ui/alert.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import type { ItemSheetProps } from '../../ui/named-list-page.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { classTexts, fieldMessage, offerCount } from './category-texts.ts'

const MAX_DESCRIPTION = 1_000

/** Creates or edits a category. */
export function CategorySheet(props: ItemSheetProps<AdminCategory>) {
  const { item: category, overlay, onReturnFocus } = props
  const client = useQueryClient()
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(CategoryFields, { error: fieldMessage }),
    defaultValues: {
      name: category?.name ?? '',
      description: category?.description ?? '',
      regulatory_class: category?.regulatory_class ?? ('libero' as const),
    },
  })
  const { control, setError } = form
  const { errors, isDirty, isSubmitting } = form.formState
  const description = useWatch({ control, name: 'description' }) ?? ''
  const regulatoryClass = useWatch({ control, name: 'regulatory_class' }) ?? 'libero'
  const hidesOffers =
    category !== null &&
    category.offers > 0 &&
    isMedicine(regulatoryClass) &&
    !isMedicine(category.regulatory_class)
  const { setUnsaved } = overlay
  useEffect(() => setUnsaved(isDirty), [setUnsaved, isDirty])

  const submit = form.handleSubmit(async (body) => {
    clearFailure()
    try {
      if (category === null) await call(createCategory, { body })
      else await call(changeCategory, { params: { categoryId: category.id }, body })
      // The server decides the order of the list.
      await client.invalidateQueries({ queryKey: endpointKey(listAdminCategories) })
      toastSuccess(category === null ? 'Categoria creata' : 'Categoria aggiornata', {
        description: body.name,
      })
      overlay.close()
    } catch (reason) {
      const text = errorMessage(reason)
      const isTaken = hasCode(reason, 'categories.name_taken')
      if (isTaken) setError('name', { message: text }, { shouldFocus: true })
      else fail(`Errore durante il salvataggio della categoria. ${text}`)
    }
  })

  return (
    <FormSheet
      title={category === null ? 'Nuova categoria' : 'Modifica categoria'}
      busy={isSubmitting}
      failure={failure}
      overlay={overlay}
      onSubmit={submit}
      onClose={overlay.leave}
      onReturnFocus={onReturnFocus}
    >
      <TextField
        label="Nome"
        autoComplete="off"
        required
        hint={
          category !== null && category.offers > 0
            ? `Un nome nuovo vale subito anche nelle offerte: ${offerCount(category.offers)}.`
            : undefined
        }
        error={errors.name?.message}
        {...form.register('name')}
      />
      <TextArea
        label="Descrizione"
        value={description}
        maxCharacters={MAX_DESCRIPTION}
        error={errors.description?.message}
        {...form.register('description')}
      />
      <SelectField
        label="Classe regolatoria"
        hint={classTexts[regulatoryClass].means}
        error={errors.regulatory_class?.message}
        {...form.register('regulatory_class')}
      >
        {RegulatoryClass.options.map((option) => (
          <option key={option} value={option}>
            {classTexts[option].name}
          </option>
        ))}
      </SelectField>
      {hidesOffers ? (
        <Alert tone="notice">
          Le offerte di questa categoria diventano medicinali: quelle senza un codice AIC valido non
          saranno più visibili ai clienti.
        </Alert>
      ) : null}
    </FormSheet>
  )
}
