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
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { formFields } from '../../lib/form-fields.ts'
import { Alert } from '../../ui/alert.tsx'
import { NamedItemSheet } from '../../ui/named-item-sheet.tsx'
import type { ItemSheetProps } from '../../ui/named-list-page.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { classTexts, fieldMessage, offerCount } from './category-texts.ts'

/** Creates or edits a category. */
export function CategorySheet(props: ItemSheetProps<AdminCategory>) {
  const { item: category } = props
  const form = useForm({
    resolver: zodResolver(CategoryFields, { error: fieldMessage }),
    defaultValues: {
      name: category?.name ?? '',
      description: category?.description ?? '',
      regulatory_class: category?.regulatory_class ?? ('libero' as const),
    },
  })
  const regulatoryClass = useWatch({ control: form.control, name: 'regulatory_class' }) ?? 'libero'
  const hasOffers = category !== null && category.offers > 0
  const hidesOffers =
    hasOffers && isMedicine(regulatoryClass) && !isMedicine(category.regulatory_class)

  async function save(body: CategoryFields) {
    if (category === null) await call(createCategory, { body })
    else await call(changeCategory, { params: { categoryId: category.id }, body })
    return true
  }

  return (
    <FormProvider {...form}>
      <NamedItemSheet
        {...props}
        titles={['Nuova categoria', 'Modifica categoria']}
        done={['Categoria creata', 'Categoria aggiornata']}
        failed="Errore durante il salvataggio della categoria."
        nameHint={
          hasOffers
            ? `Un nome nuovo vale subito anche nelle offerte: ${offerCount(category.offers)}.`
            : undefined
        }
        takenCode="categories.name_taken"
        list={listAdminCategories}
        save={save}
      >
        <SelectField
          label="Classe regolatoria"
          hint={classTexts[regulatoryClass].means}
          {...formFields(form)('regulatory_class')}
        >
          {RegulatoryClass.options.map((option) => (
            <option key={option} value={option}>
              {classTexts[option].name}
            </option>
          ))}
        </SelectField>
        {hidesOffers ? (
          <Alert tone="notice">
            Le offerte di questa categoria diventano medicinali: quelle senza un codice AIC valido
            non saranno più visibili ai clienti.
          </Alert>
        ) : null}
      </NamedItemSheet>
    </FormProvider>
  )
}
