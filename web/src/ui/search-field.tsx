import { LoaderCircle, Search, X } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { cn } from './class-names.ts'

type SearchFieldProps = Pick<
  ComponentProps<'input'>,
  'id' | 'placeholder' | 'maxLength' | 'onKeyDown'
> & {
  value: string
  /** The results are being fetched. */
  busy?: boolean
  className: string
  onType: (text: string) => void
  onClear: () => void
}

/** The search field of a list, with a button to clear it. */
export function SearchField({
  busy = false,
  className,
  onType,
  onClear,
  ...rest
}: SearchFieldProps) {
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
        onChange={({ target }) => onType(target.value)}
        className={cn(
          'h-11 w-full rounded-control border border-control bg-surface pr-11 pl-9 text-base text-ellipsis',
          'transition-colors placeholder:text-muted hover:border-muted md:h-9 md:text-sm pointer-coarse:h-11',
          '[&::-webkit-search-cancel-button]:hidden',
        )}
        {...rest}
      />
      {rest.value === '' ? null : (
        <button
          type="button"
          aria-label="Cancella la ricerca"
          onClick={() => {
            onClear()
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
