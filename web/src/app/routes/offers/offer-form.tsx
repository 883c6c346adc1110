import type { Response } from '@bancone/contract/endpoint'
import { findMedicine, type Medicine } from '@bancone/contract/medicines'
import { isMedicineOffer, offerRefusal } from '@bancone/contract/offer-rules'
import { listProductCategories } from '@bancone/contract/product-categories'
import { zodResolver } from '@hookform/resolvers/zod'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { placeholderImage } from '../../../features/images/chosen-image.ts'
import { usableCode, useImageByCode } from '../../../features/images/use-image-by-code.ts'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { endpointQueryOptions, useEndpoint } from '../../../lib/endpoint-query.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OfferDraft } from './offer-draft.ts'
import { OfferFooter } from './offer-footer.tsx'
import { OfferNotices } from './offer-notices.tsx'
import { OfferPictureColumn } from './offer-picture-column.tsx'
import { OfferPreview } from './offer-preview.tsx'
import { offerSchema } from './offer-schema.ts'
import { OfferTextsColumn } from './offer-texts-column.tsx'
import { isChanged, storeForm } from './opened-form.ts'
import type { OfferEditorState } from './use-offer-editor.ts'
import { useOfferSaving } from './use-offer-saving.ts'
import { usePriceCheck } from './use-price-check.ts'

/** How long the categories are cached. */
const CATEGORIES_MS = 5 * 60_000

/** The fields that may be invalid, as they stand on the page. */
const fieldsInOrder = [
  'name',
  'category',
  'listPrice',
  'offerPrice',
  'priorPrice',
  'description',
  'starts',
  'ends',
  'code',
  'picture',
] as const satisfies readonly (keyof OfferDraft)[]

type OfferFormProps = {
  slot: OfferFormSlot
  editor: OfferEditorState
  heading: RefObject<HTMLHeadingElement | null>
  takesFocus: boolean
  onCancel: () => void
}

/** The form of one offer. */
export function OfferForm({ slot, editor, heading, takesFocus, onCancel }: OfferFormProps) {
  const id = useId()
  const saveButton = useRef<HTMLButtonElement>(null)
  const [sending, setSending] = useState(false)
  const { opened, setUnsaved } = editor
  const { task } = opened
  const offer = task.kind === 'edit' ? task.offer : null
  const categories = useEndpoint(
    listProductCategories,
    {},
    { staleTime: CATEGORIES_MS, gcTime: CATEGORIES_MS },
  )
  const client = useQueryClient()
  const schema = offerSchema({
    today: slot.today,
    storedEnd: offer?.fields.Data_Fine,
    categories: categories.data?.categories ?? null,
    medicineOf: (code) => cachedMedicine(client, code),
  })
  const form = useForm({ resolver: zodResolver(schema), defaultValues: opened.draft })
  const { subscribe, getValues, setFocus, register } = form
  // Registered in the order of the page, in which the first invalid field is looked for.
  for (const name of fieldsInOrder) register(name)
  // A copy: the form changes its own object.
  const draft = useWatch({
    control: form.control,
    compute: (values: OfferDraft) => ({ ...values }),
  })
  const category = categories.data?.categories.find(({ name }) => name === draft.category)
  const medicine = isMedicineOffer(usableCode(draft.code), category?.regulatoryClass ?? 'libero')
  const registered = useMedicine(draft.code)
  const refusal = registered?.medicine
    ? offerRefusal(usableCode(draft.code), 'libero', registered.medicine)
    : null
  const check = usePriceCheck(draft, offer?.id ?? null, slot.today)
  const coded = useImageByCode(
    draft.code,
    draft.picture,
    (picture) => change({ picture }),
    fillPicture,
  )
  const saving = useOfferSaving({
    slot,
    editor,
    form,
    schema,
    awaitsPicture: sending || (coded.search.state === 'finding' && draft.picture === null),
  })

  useEffect(() => {
    if (takesFocus) setFocus('name')
  }, [takesFocus, setFocus])
  useEffect(() => {
    storeForm({ ...opened, draft: getValues() })
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => storeForm({ ...opened, draft: values }),
    })
  }, [opened, getValues, subscribe])
  const unsaved = offer !== null && isChanged({ ...opened, draft })
  useEffect(() => setUnsaved(unsaved), [unsaved, setUnsaved])

  /** Changes fields by other means than typing into them. */
  function change(part: Partial<OfferDraft>) {
    if (part.code !== undefined) coded.onCodeChange(part.code)
    // Read now: a picture may arrive after a later rendering.
    form.setValues(part, { shouldValidate: form.formState.isSubmitted })
  }

  /** Without a picture of the product. */
  function fillPicture() {
    if (getValues('picture') === null) change({ picture: placeholderImage })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void saving.save()
  }

  return (
    <FormProvider {...form}>
      {/* The keys belong to the fields inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        aria-labelledby={id}
        className="@container flex flex-col gap-4 rounded-card border border-line bg-surface p-4 pb-0 md:p-5 md:pb-0"
        onKeyDown={onKeyDown}
      >
        <h2
          ref={heading}
          id={id}
          tabIndex={-1}
          className="text-lg leading-tight font-medium outline-none"
        >
          {offer ? 'Modifica offerta' : 'Nuova offerta'}
        </h2>
        <OfferNotices
          slot={slot}
          editor={editor}
          medicine={medicine}
          refusal={refusal}
          regulatoryClass={category?.regulatoryClass}
          draft={draft}
        />
        <div className="grid items-start gap-x-6 gap-y-4 @2xl:grid-cols-2 @5xl:grid-cols-[minmax(0,1fr)_21rem_17rem]">
          <OfferTextsColumn
            slot={slot}
            task={task}
            draft={draft}
            categories={categories}
            medicine={medicine}
            check={check}
            onChange={change}
            onNameMissing={() => setFocus('name')}
            onCode={coded.findByCode}
            onCodeless={fillPicture}
          />
          <div className="flex min-w-0 flex-col gap-4 @5xl:contents">
            <OfferPictureColumn
              name={draft.name}
              coded={coded}
              registered={registered}
              onChange={change}
              onSending={setSending}
            />
            <OfferPreview
              draft={draft}
              prior={check.result?.prior ?? null}
              medicine={medicine}
              refusal={refusal}
              today={slot.today}
            />
          </div>
        </div>
        <OfferFooter
          slot={slot}
          editor={editor}
          draft={draft}
          saving={saving}
          saveButton={saveButton}
          onInactive={() => {
            form.setValue('active', false)
            void saving.save()
          }}
          onCancel={onCancel}
        />
        {saving.outcome.state === 'conflict' ? (
          <ConflictDialog
            name={draft.name}
            onClose={saving.closeConflict}
            onReload={() => void saving.reload()}
            onInsist={() => void saving.insist()}
            onReturnFocus={() => saveButton.current?.focus()}
          />
        ) : null}
      </section>
    </FormProvider>
  )
}

type ConflictDialogProps = ModalProps & {
  name: string
  onReload: () => void
  /** Overwrites the other change. */
  onInsist: () => void
}

/** Shown when the offer was changed elsewhere meanwhile: the user chooses which change wins. */
function ConflictDialog(props: ConflictDialogProps) {
  const { name, onClose, onReload, onInsist, onReturnFocus } = props
  return (
    <Dialog
      title="Offerta cambiata nel frattempo"
      text={`Mentre la modificavi, qualcuno ha cambiato «${name}». Se ricarichi perdi quello che hai scritto; se salvi comunque, resta la tua versione.`}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
      footer={
        <>
          <Button look="primary" onClick={onReload}>
            Ricarica
          </Button>
          <Button onClick={onInsist}>Salva comunque</Button>
        </>
      }
    />
  )
}

/** The register changes once a day. */
const FRESH_MS = 60 * 60_000

/** What the register of medicines says of the typed code; undefined for other codes, and until it is known. */
function useMedicine(typed: string): Response<typeof findMedicine> | undefined {
  const code = usableCode(typed)
  const isAic = code !== null && isMedicineOffer(code, 'libero')
  const { data } = useEndpoint(
    findMedicine,
    { query: { code: code ?? '' } },
    { enabled: isAic, staleTime: FRESH_MS, gcTime: FRESH_MS },
  )
  return isAic ? data : undefined
}

/** A medicine that `useMedicine` has found. */
function cachedMedicine(client: QueryClient, code: string): Medicine | null {
  const { queryKey } = endpointQueryOptions(findMedicine, { query: { code } })
  return client.getQueryData(queryKey)?.medicine ?? null
}
