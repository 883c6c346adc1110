import type { ComponentProps, ReactNode } from 'react'
import { containsText, MAX_LETTERS } from '../lib/list-search.ts'
import type { ChangeFilter } from '../lib/url-filter.ts'
import { useSearchText } from '../lib/use-search-text.ts'
import { Button } from './button.tsx'
import { EmptyList } from './empty-state.tsx'
import { QueryStates } from './query-states.tsx'
import { SearchField } from './search-field.tsx'

export type SearchedListTexts = {
  placeholder: string
  failed: string
  /** Before the number of items that a search has found. */
  found: string
  empty: string
  emptyHint: string
  noneFound: string
  /** After the search text for which nothing was found. */
  advice?: string
  showAll: string
}

type SearchedListProps<Item> = {
  query: ComponentProps<typeof QueryStates<unknown>>['query']
  /** Undefined until they are loaded. */
  items: readonly Item[] | undefined
  /** The texts of an item that are searched. */
  textsOf: (item: Item) => readonly (string | null)[]
  /** The search text in the URL, and a function to change it. */
  url: readonly [{ q: string }, ChangeFilter<{ q: string }>]
  texts: SearchedListTexts
  icon: ReactNode
  skeleton: ReactNode
  /** Offers to create the first item. */
  emptyAction?: ReactNode
  /** The items that were found, at least one. */
  children: (found: readonly Item[]) => ReactNode
}

/** A list that is loaded as a whole, below the field that searches it. */
export function SearchedList<Item>(props: SearchedListProps<Item>) {
  const { query, items, texts, icon } = props
  const [{ q }, change] = props.url
  const search = useSearchText({
    inUrl: q,
    onSearch: (text, options) => change({ q: text }, options),
  })
  const found = items?.filter((item) => containsText(props.textsOf(item), q)) ?? []
  return (
    <>
      <div className="flex">
        <SearchField
          search={search}
          placeholder={texts.placeholder}
          maxLength={MAX_LETTERS}
          className="lg:max-w-md"
        />
      </div>
      <p role="status" className="sr-only">
        {items && q.trim() !== '' ? `${texts.found}: ${found.length}` : null}
      </p>
      <QueryStates query={query} title={texts.failed} skeleton={props.skeleton}>
        {() =>
          found.length > 0 ? (
            props.children(found)
          ) : items?.length === 0 ? (
            <EmptyList icon={icon} title={texts.empty} action={props.emptyAction}>
              {texts.emptyHint}
            </EmptyList>
          ) : (
            <EmptyList
              icon={icon}
              title={texts.noneFound}
              action={<Button onClick={search.clear}>{texts.showAll}</Button>}
            >
              <span className="wrap-anywhere">
                Hai cercato «{q.trim()}»{texts.advice ?? '.'}
              </span>
            </EmptyList>
          )
        }
      </QueryStates>
    </>
  )
}
