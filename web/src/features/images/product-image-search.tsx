import { errorText } from '@bancone/contract/errors'
import { variantUrl } from '@bancone/contract/image-variants'
import { parseMinsan } from '@bancone/contract/minsan'
import { CircleCheck, Search, TriangleAlert } from 'lucide-react'
import { type ReactNode, type Ref, type RefObject, useId, useRef, useState } from 'react'
import { errorMessage } from '../../lib/messages.ts'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { ChosenImage } from './chosen-image.ts'
import { sourceLabel } from './image-source.tsx'
import { usableCode, type useImageByCode } from './use-image-by-code.ts'

type ProductImageSearchProps = {
  /** The field of the code. */
  ref?: Ref<HTMLInputElement>
  code: string
  onCode: (code: string) => void
  coded: ReturnType<typeof useImageByCode>
  /** A further error of the code. */
  error?: string | undefined
  /** Shown inside the field, at its end. */
  adornment?: ReactNode
}

const absent = {
  missing: {
    title: errorText('product_images.not_found'),
    text: 'Nessuna immagine per questo codice: trascina una foto nel riquadro, o caricala tu.',
  },
  unconfigured: {
    title: 'Ricerca non attiva',
    text: errorText('product_images.not_configured'),
  },
}

/** A product code, validated while it is typed, and the search for its picture. */
export function ProductImageSearch(props: ProductImageSearchProps) {
  const { ref, code, onCode, coded, error, adornment } = props
  const { search } = coded
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [left, setLeft] = useState(code !== '')
  const note = error === undefined ? codeNote(code, left) : null
  const finding = search.state === 'finding'

  function find() {
    setLeft(true)
    if (usableCode(code) !== null && !finding) coded.find(code)
  }

  return (
    <>
      <div className="flex flex-col gap-2.5">
        <TextField
          ref={ref}
          label="Codice prodotto (Minsan)"
          name="code"
          inputMode="numeric"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          error={error ?? (note?.tone === 'error' ? note.text : undefined)}
          hint={note ? undefined : 'Le 9 cifre sulla confezione: serve anche a trovare l’immagine.'}
          adornment={adornment}
          aria-describedby={note && note.tone !== 'error' ? `${id}-note` : undefined}
          onChange={({ target }) => {
            setLeft(false)
            onCode(target.value)
          }}
          onBlur={() => setLeft(true)}
          // May be inside a form: Enter, which scanners send, applies to this field only.
          onKeyDown={(event) => {
            // Ctrl+Enter submits the form.
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            find()
          }}
        />
        {note && note.tone !== 'error' ? (
          <p
            id={`${id}-note`}
            className={`-mt-1 flex gap-1.5 text-sm ${note.tone === 'right' ? 'text-confirmed' : 'text-pending'}`}
          >
            {note.tone === 'right' ? (
              <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
            ) : (
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            )}
            {note.text}
          </p>
        ) : null}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button ref={button} inactive={finding || code.trim() === ''} onClick={find}>
            <Search aria-hidden />
            {finding ? 'Ricerca in corso…' : 'Cerca immagine'}
          </Button>
          <p role="status" className="text-sm text-muted">
            {finding ? <span className="sr-only">Ricerca in corso…</span> : null}
            {search.state === 'found' ? (
              <FoundImage key={search.image.url} image={search.image} />
            ) : null}
          </p>
        </div>
        {search.state === 'missing' || search.state === 'unconfigured' ? (
          <Alert tone="notice">
            <p className="font-medium">{absent[search.state].title}</p>
            <p>{absent[search.state].text}</p>
          </Alert>
        ) : null}
        {search.state === 'failed' ? (
          <SearchFailure error={search.error} onAgain={find} focusFallback={button} />
        ) : null}
      </div>
      {coded.isOfOtherCode ? (
        <OtherCodeNotice onFind={() => coded.find(code)} onKeep={coded.keep} />
      ) : null}
    </>
  )
}

type OtherCodeNoticeProps = {
  onFind: () => void
  onKeep: () => void
}

/** Asks for a picture of its own after a code has changed. */
function OtherCodeNotice({ onFind, onKeep }: OtherCodeNoticeProps) {
  return (
    <Alert
      tone="notice"
      action={
        <>
          <Button size="small" onClick={onFind}>
            Cerca la sua immagine
          </Button>
          <Button size="small" onClick={onKeep}>
            Tieni questa
          </Button>
        </>
      }
    >
      L'immagine è del codice di prima: questo codice ne vuole una sua.
    </Alert>
  )
}

/** Says that the picture was found once it has loaded: the provider's address may lead to none. */
function FoundImage({ image }: { image: ChosenImage }) {
  const [loaded, setLoaded] = useState<boolean | null>(null)
  return (
    <>
      <img
        hidden
        alt=""
        src={variantUrl(image.url, 'product')}
        onLoad={() => setLoaded(true)}
        onError={() => setLoaded(false)}
      />
      {loaded === true ? (
        <>
          Immagine trovata
          {/* Visible on the picture itself. */}
          <span className="sr-only">: {sourceLabel(image).toLowerCase()}</span>
        </>
      ) : null}
      {loaded === false ? "L'immagine di questo codice non si apre: caricane una tu." : null}
    </>
  )
}

type SearchFailureProps = {
  error: unknown
  onAgain: () => void
  focusFallback: RefObject<HTMLElement | null>
}

function SearchFailure({ error, onAgain, focusFallback }: SearchFailureProps) {
  const place = useFocusFallback(focusFallback)
  const again = (
    <Button size="small" onClick={onAgain}>
      Riprova
    </Button>
  )
  return (
    <div ref={place}>
      <Alert tone="error" action={again}>
        <p className="font-medium">Errore</p>
        <p>{errorMessage(error)}</p>
      </Alert>
    </div>
  )
}

type CodeNote = { tone: 'error' | 'warning' | 'right'; text: string }

const wrong: CodeNote = {
  tone: 'error',
  text: 'La cifra di controllo non torna: ricontrolla il codice sulla confezione.',
}
const incomplete: CodeNote = {
  tone: 'error',
  text: 'Scrivi le 9 cifre del codice, anche con la A davanti, o i 6 caratteri del codice a barre.',
}
const unverified: CodeNote = {
  tone: 'warning',
  text: 'Di questo codice la cifra di controllo non si può verificare: confrontalo con la confezione.',
}
const right: CodeNote = { tone: 'right', text: 'Codice corretto' }

/** A complete code: nine digits, or six characters of a bar code with a letter among them. */
const WHOLE = /^A?(\d{9}|(?=\d*[B-Z])[0-9B-DF-HJ-NP-Z]{6})$/

/**
 * Hint below a product code.
 *
 * @param left the field was left: an incomplete code is an error
 */
export function codeNote(text: string, left: boolean): CodeNote | null {
  const typed = text.replaceAll(/[\s.-]/g, '').toUpperCase()
  if (typed === '') return null
  const read = parseMinsan(typed)
  if (!left && !WHOLE.test(typed)) return typed.length > 10 ? incomplete : null
  if (read === undefined) return incomplete
  return { wrong, unverified, valid: right }[read.check]
}
