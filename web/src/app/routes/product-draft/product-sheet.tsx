import { variantUrl } from '@bancone/contract/image-variants'
import { paths } from '@bancone/contract/pages'
import { Download, Eraser, ExternalLink, Tag } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod/mini'
import { shownPrice } from '../../../features/assistant/price-text.ts'
import { noTexts, ProductTexts } from '../../../features/assistant/product-texts.ts'
import { ChosenImage } from '../../../features/images/chosen-image.ts'
import { ImageField } from '../../../features/images/image-field.tsx'
import { OtherCodeNotice } from '../../../features/images/other-code-notice.tsx'
import { pictureFile } from '../../../features/images/picture-file.ts'
import { ProductImageSearch } from '../../../features/images/product-image-search.tsx'
import { useImageByCode } from '../../../features/images/use-image-by-code.ts'
import { emptyDraft } from '../../../features/offers/form/offer-draft.ts'
import { prefillForm } from '../../../features/offers/form/opened-form.ts'
import { formatOffersAddress } from '../../../features/offers/offers-address.ts'
import { readFormDraft, saveDraft } from '../../../lib/drafts.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { CopyButton, CopyIconButton } from '../../../ui/copy-button.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { dismissToast, toastError, toastSuccess } from '../../../ui/toast.ts'
import { SheetTexts } from './sheet-texts.tsx'

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
  const { search, find, stop, findByCode } = coded

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
          <SheetTexts texts={texts} onChange={change} nameField={nameField} onCode={findByCode} />
        </div>
        <div className={column}>
          <ProductImageSearch
            code={texts.code}
            onCode={(code) => change({ code })}
            search={search}
            onFind={find}
            adornment={<CopyIconButton label="Copia il codice" text={texts.code.trim()} />}
          />
          {coded.isOfOtherCode ? (
            <OtherCodeNotice onFind={() => find(texts.code)} onKeep={coded.keep} />
          ) : null}
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

/** A file name that is valid on every operating system. */
function sheetFileName({ name, code }: ProductTexts): string {
  const words = `${name} ${code}`.normalize('NFKD').match(/[a-z0-9]+/gi)
  return words?.join('-').toLowerCase().slice(0, 80) ?? 'immagine'
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
