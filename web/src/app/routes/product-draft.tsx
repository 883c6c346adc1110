import { DEFAULT_CATEGORY, MAX_DESCRIPTION_LENGTH } from '@bancone/contract/assistant'
import { variantUrl } from '@bancone/contract/image-variants'
import { paths } from '@bancone/contract/pages'
import { ProductCategory } from '@bancone/contract/product-categories'
import { Download, Eraser, ExternalLink, Tag } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod/mini'
import { AssistantPanel } from '../../features/assistant/assistant-panel.tsx'
import { priceProblem, shownPrice } from '../../features/assistant/price-text.ts'
import { noTexts, ProductTexts } from '../../features/assistant/product-texts.ts'
import { ChosenImage } from '../../features/images/chosen-image.ts'
import { ImageField } from '../../features/images/image-field.tsx'
import { ProductImageSearch } from '../../features/images/product-image-search.tsx'
import { useImageByCode } from '../../features/images/use-image-by-code.ts'
import { formatOffersAddress } from '../../features/offers/offers-address.ts'
import { readFormDraft, saveDraft } from '../../lib/drafts.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { CopyButton, CopyIconButton } from '../../ui/copy-button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { dismissToast, toastError, toastSuccess } from '../../ui/toast.ts'
import { emptyDraft } from './offers/offer-draft.ts'
import { prefillForm } from './offers/opened-form.ts'
import { RequireOffers } from './require-offers.tsx'

export function ProductDraft() {
  return (
    <RequireOffers unavailableTitle="Scheda prodotto non disponibile">
      {() => <ProductSheet />}
    </RequireOffers>
  )
}

const column = 'flex min-w-0 flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5'

/** Texts and picture of a product, for use in other programs. Only the picture is stored on the server. */
export function ProductSheet() {
  const navigate = useNavigate()
  const nameField = useRef<HTMLInputElement>(null)
  const [sheet, setSheet] = useState(readSheet)
  /** Number of the sheet: a request of the previous sheet must not affect the next one. */
  const [count, setCount] = useState(0)
  const { texts, image } = sheet
  useEffect(() => keepSheet(sheet), [sheet])
  useEffect(
    // The undo actions of these toasts need the page.
    () => () => {
      dismissToast('image')
      dismissToast('product-sheet')
    },
    [],
  )

  const show = (next: ChosenImage | null) => setSheet((before) => ({ ...before, image: next }))
  const coded = useImageByCode(texts.code, image, show)
  const { stop } = coded

  function change(part: Partial<ProductTexts>) {
    if (part.code !== undefined) coded.onCodeChange(part.code)
    setSheet((before) => ({ ...before, texts: { ...before.texts, ...part } }))
  }

  function begin(next: Sheet) {
    stop()
    setSheet(next)
    setCount((before) => before + 1)
  }

  function clear() {
    begin(emptySheet)
    toastSuccess('Scheda svuotata', {
      about: 'product-sheet',
      action: { label: 'Annulla', run: () => begin(sheet) },
      long: true,
    })
  }

  /** Opens the offer form with these texts. */
  function makeOffer() {
    const { name, category, description, code, price: listPrice } = texts
    const given = { name, category, description, code, listPrice, picture: image }
    prefillForm({ ...emptyDraft, ...given })
    void navigate(paths.offers + formatOffersAddress({ offerta: 'nuova' }))
  }

  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>Scheda prodotto</PageTitle>
        <div className="flex flex-wrap items-center gap-2">
          <CopyButton label="Copia tutti i testi" text={sheetText(texts)} iconOnly />
          <Button inactive={isEmpty(sheet)} onClick={clear}>
            <Eraser aria-hidden />
            Svuota
          </Button>
          <Button look="primary" inactive={isEmpty(sheet)} onClick={makeOffer}>
            <Tag aria-hidden />
            Crea un'offerta
          </Button>
        </div>
      </div>
      <p className="max-w-prose text-sm text-balance text-muted">
        Prepara testi e immagine di un prodotto e copiali dove ti servono. I testi restano solo in
        questa finestra; una foto che carichi si cancella dopo un giorno, se nessuna offerta la usa.
      </p>
      <div
        key={count}
        className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_21rem] md:gap-5 lg:grid-cols-[minmax(0,1fr)_23rem]"
      >
        <div className={column}>
          <SheetTexts
            texts={texts}
            onChange={change}
            nameField={nameField}
            onCode={coded.findByCode}
          />
        </div>
        <div className={column}>
          <ProductImageSearch
            code={texts.code}
            onCode={(code) => change({ code })}
            coded={coded}
            adornment={<CopyIconButton label="Copia il codice" text={texts.code.trim()} />}
          />
          <ImageField
            label="Immagine"
            alt={texts.name.trim() === '' ? 'Immagine del prodotto' : texts.name.trim()}
            value={image}
            onChange={(next) => {
              stop()
              show(next)
            }}
            onBegin={stop}
          />
          {image ? <PictureActions image={image} fileName={sheetFileName(texts)} /> : null}
        </div>
      </div>
    </div>
  )
}

const MAX_NAME = 200

type SheetTextsProps = {
  texts: ProductTexts
  onChange: (change: Partial<ProductTexts>) => void
  /** Called when a code proposed by the assistant was accepted or undone. */
  onCode: (code: string) => void
  nameField: RefObject<HTMLInputElement | null>
}

/** Name, price and description of a product: typed, or proposed by the assistant. */
function SheetTexts({ texts, onChange, onCode, nameField }: SheetTextsProps) {
  const [leftPrice, setLeftPrice] = useState(texts.price !== '')
  const priceError = leftPrice ? priceProblem(texts.price) : null
  return (
    <>
      <TextField
        ref={nameField}
        label="Nome del prodotto"
        autoComplete="off"
        maxLength={MAX_NAME}
        value={texts.name}
        onChange={({ target }) => onChange({ name: target.value })}
        adornment={<CopyIconButton label="Copia il nome" text={texts.name.trim()} />}
      />
      <SelectField
        label="Categoria"
        value={texts.category}
        onChange={({ target }) => onChange({ category: target.value })}
      >
        <option value="">{DEFAULT_CATEGORY}</option>
        {ProductCategory.options.map((category) => (
          <option key={category} value={category}>
            {category}
          </option>
        ))}
      </SelectField>
      <AssistantPanel
        texts={texts}
        onChange={onChange}
        onNameMissing={() => nameField.current?.focus()}
        onCode={onCode}
      />
      <div className="flex flex-col gap-2">
        <TextArea
          label="Descrizione"
          autoComplete="off"
          maxCharacters={MAX_DESCRIPTION_LENGTH}
          value={texts.description}
          onChange={({ target }) => onChange({ description: target.value })}
        />
        <CopyButton label="Copia la descrizione" text={texts.description.trim()} />
      </div>
      <TextField
        label="Prezzo (€)"
        inputMode="decimal"
        autoComplete="off"
        hint="Per esempio 9,90"
        value={texts.price}
        error={priceError ?? undefined}
        onChange={({ target }) => {
          setLeftPrice(false)
          onChange({ price: target.value })
        }}
        onBlur={() => setLeftPrice(true)}
        adornment={<CopyIconButton label="Copia il prezzo" text={shownPrice(texts.price)} />}
      />
    </>
  )
}

/** A file name that is valid on every operating system. */
function sheetFileName({ name, code }: ProductTexts): string {
  const words = `${name} ${code}`.normalize('NFKD').match(/[a-z0-9]+/gi)
  return words?.join('-').toLowerCase().slice(0, 80) ?? 'immagine'
}

const TIME_LIMIT_MS = 60_000

/**
 * Loads a stored picture as a JPEG, which every program reads.
 *
 * @throws when it fails to load
 */
async function pictureFile(address: string): Promise<Blob> {
  const response = await fetch(address, {
    headers: { accept: 'image/jpeg' },
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  })
  if (!response.ok) throw new Error(`The picture did not come: ${response.status}`)
  return response.blob()
}

const NAME = 'product'

const Sheet = z.object({ texts: ProductTexts, image: z.catch(z.nullable(ChosenImage), null) })
type Sheet = z.infer<typeof Sheet>

const emptySheet: Sheet = { texts: noTexts, image: null }

/** The unsaved sheet of this tab. */
const readSheet = () => readFormDraft(NAME, Sheet) ?? emptySheet

function isEmpty({ texts, image }: Sheet): boolean {
  return image === null && Object.values(texts).every((text) => text === '')
}

function keepSheet(sheet: Sheet) {
  saveDraft(NAME, isEmpty(sheet) ? '' : JSON.stringify(sheet))
}

/** The whole sheet as a text, for pasting into another program. */
function sheetText({ name, category, description, price, code }: ProductTexts): string {
  const lines = [
    name.trim(),
    category,
    description.trim(),
    price.trim() && `Prezzo: ${shownPrice(price)}`,
    code.trim() && `Codice: ${code.trim()}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

type PictureActionsProps = {
  image: ChosenImage
  /** Name of the saved file, without extension. */
  fileName: string
}

/** Copies the picture's URL, or saves the picture. */
function PictureActions({ image, fileName }: PictureActionsProps) {
  const { href, origin } = new URL(variantUrl(image.url, 'original'), location.origin)
  return (
    <div className="flex flex-wrap items-start gap-2">
      <CopyButton label="Copia indirizzo" text={href} iconOnly />
      {origin === location.origin ? (
        <SaveButton address={href} fileName={fileName} />
      ) : (
        // A picture on another origin cannot be read by the page: the browser opens it.
        <a href={href} target="_blank" rel="noopener noreferrer" className={buttonStyle({})}>
          <ExternalLink aria-hidden />
          Apri
          <span className="sr-only"> l'immagine in un'altra scheda</span>
        </a>
      )}
    </div>
  )
}

function SaveButton({ address, fileName }: { address: string; fileName: string }) {
  const [busy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    try {
      saveFile(await pictureFile(address), `${fileName}.jpg`)
    } catch {
      toastError("Impossibile scaricare l'immagine", { about: 'image-download' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button inactive={busy} onClick={() => void save()}>
      <Download aria-hidden />
      {busy ? 'Download in corso…' : 'Scarica'}
    </Button>
  )
}
