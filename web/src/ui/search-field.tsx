import { LoaderCircle, Search, X } from 'lucide-react'
import { type ComponentProps, type KeyboardEventHandler, useRef } from 'react'
import type { useSearchText } from '../lib/use-search-text.ts'
import { cn } from './class-names.ts'

type SearchFieldProps = Pick<ComponentProps<'input'>, 'id' | 'placeholder' | 'maxLength'> & {
  search: Pick<ReturnType<typeof useSearchText>, 'text' | 'type' | 'clear'>
  /** The results are being fetched. */
  busy?: boolean
  className: string
  /** By default Escape clears the field. */
  onKeyDown?: KeyboardEventHandler<HTMLInputElement>
}

/** The search field of a list, with a button to clear it. */
export function SearchField({ search, busy = false, className, ...rest }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const Icon = busy ? LoaderCircle : Search
  return (
    // Not every supported browser knows the `search` element.
    <div role="search" className={cn('relative min-w-0 flex-1', className)}>
      <Icon
        aria-hidden
        className={cn(
          'pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted',
          busy && 'animate-spin text-accent motion-reduce:animate-none',
        )}
      />
      <input
        ref={input}
        type="search"
        aria-label="Cerca"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={search.text}
        onChange={({ target }) => search.type(target.value)}
        onKeyDown={({ key }) => (key === 'Escape' ? search.clear() : undefined)}
        className={cn(
          'h-11 w-full rounded-control border border-control bg-surface pr-11 pl-9 text-base text-ellipsis',
          'transition-colors placeholder:text-muted hover:border-muted md:h-9 md:text-sm pointer-coarse:h-11',
          '[&::-webkit-search-cancel-button]:hidden',
        )}
        {...rest}
      />
      {search.text === '' ? null : (
        <button
          type="button"
          aria-label="Cancella la ricerca"
          onClick={() => {
            search.clear()
            input.current?.focus()
          }}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-muted hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  )
}
