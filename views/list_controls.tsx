/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** What is above a list: the search, the filters as links, the link to the form for a new entry, and how many there are. */

import { Html } from "@elysiajs/html";
import { inputOf } from "./components.tsx";
import { attribute, revealed } from "./text.ts";

export interface Filter {
  text: string;
  /** As an attribute. */
  href: string;
  is_current?: boolean;
  /** The value of a filter that the link removes, from a caller. */
  removes?: string;
}

interface FiltersProps {
  filters: Filter[];
  /** The link to the form for a new entry. */
  make?: { text: string; href: string };
}

export const Filters = ({ filters, make }: FiltersProps) => (
  <nav class="filters" aria-label="Filters">
    {filters.map(({ text, href, is_current, removes }) => (
      <a
        href={href}
        aria-current={is_current ? "true" : undefined}
        title={removes === undefined ? undefined : "Remove this filter"}
      >
        <span safe>{text}</span>
        {removes !== undefined && (
          <>
            : <bdi safe>{revealed(removes)}</bdi> ×
          </>
        )}
      </a>
    ))}
    {make !== undefined && (
      <a class="new" href={make.href} safe>
        {make.text}
      </a>
    )}
  </nav>
);

interface SearchProps {
  /** The address of the list, to which the search is sent. */
  action: string;
  label: string;
  q: string | undefined;
  /** The other parameters of the list. */
  also: [name: string, value: string][];
}

interface ListControlsProps extends FiltersProps {
  search: SearchProps;
  /** How many entries there are. Null: unknown. */
  count: string | null;
  /** The link to the other order. */
  order?: { text: string; href: string };
}

export const ListControls = ({ search, count, order, ...filters }: ListControlsProps) => (
  <>
    <form method="get" action={search.action} role="search">
      <label for="q" safe>
        {search.label}
      </label>
      <div class="search">
        <input
          {...inputOf({ name: "q" })}
          type="search"
          maxlength="200"
          dir="auto"
          value={attribute(search.q ?? "")}
        />
        {search.also.map(([name, value]) => (
          <input type="hidden" name={name} value={attribute(value)} />
        ))}
        <button type="submit">Search</button>
      </div>
    </form>
    <Filters {...filters} />
    {count !== null && (
      <p class="about">
        <span safe>{count}</span>
        {order !== undefined && (
          <span class="ways">
            {" "}
            ·{" "}
            <a href={order.href} safe>
              {order.text}
            </a>
          </span>
        )}
      </p>
    )}
  </>
);
