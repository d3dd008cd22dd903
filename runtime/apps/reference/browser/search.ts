import type { Component, Immutable, Plugin, Props, System } from './swagger.ts';
import type { OpenApi } from './document.ts';

/** The operations of each tag in which every word occurs: in path, summary, method, tag or area. */
const filterOf =
  (areas: ReadonlyMap<string, string>) =>
  (tags: Immutable, phrase: string): Immutable => {
    const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (tag: string, entry: Immutable): boolean => {
      const summary = entry.getIn(['operation', 'summary']);
      const text = [tag, areas.get(tag), entry.get('path'), entry.get('method'), summary].join('\n').toLowerCase();
      return words.every((word) => text.includes(word));
    };
    return tags
      .map((tag, name) => tag.update('operations', (entries) => entries.filter((entry) => matches(name, entry))))
      .filter((tag) => (tag.get('operations') as Immutable).size > 0);
  };

const filterIn = ({ layoutSelectors }: System): string => {
  const filter = layoutSelectors.currentFilter();
  return typeof filter === 'string' ? filter : '';
};

/** The field for what is searched. */
const field =
  (_: Component, system: System): Component =>
  () => {
    const { createElement } = system.React;
    const onInput = (event: { target: HTMLInputElement }): void =>
      system.layoutActions.updateFilter(event.target.value);
    const input = createElement('input', {
      type: 'search',
      className: 'search',
      placeholder: 'Search paths, summaries and resources',
      'aria-label': 'Search',
      value: filterIn(system),
      onChange: onInput,
    });
    return createElement('div', { className: 'wrapper search-bar', role: 'search' }, input);
  };

/** A tag with the name of its area before it, where it is the first one that is shown. */
const tagOf =
  (areas: ReadonlyMap<string, string>) =>
  (original: Component, system: System): Component =>
  (props) => {
    const { createElement, Fragment } = system.React;
    const area = areas.get(props['tag'] as string);
    const visibleTags = system.specSelectors.taggedOperations().keySeq().toArray();
    const isFirst = area !== undefined && visibleTags.find((tag) => areas.get(tag) === area) === props['tag'];
    // Results of a search are not folded away.
    const getConfigs = (): Props => ({ ...system.getConfigs(), docExpansion: filterIn(system) ? 'list' : 'none' });
    const heading = isFirst ? createElement('h2', { className: 'area' }, area) : null;
    return createElement(Fragment, null, heading, createElement(original, { ...props, getConfigs }));
  };

/** Shows the areas of a service, and finds operations by words. */
export function searchPlugin(document: OpenApi): Plugin {
  const areas = new Map(document['x-tagGroups']?.flatMap(({ name, tags }) => tags.map((tag) => [tag, name] as const)));
  return {
    fn: { opsFilter: filterOf(areas) },
    wrapComponents: { FilterContainer: field, OperationTag: tagOf(areas) },
  };
}

/** Orders tags by their areas; those without one are last. */
export function tagOrder(document: OpenApi): (first: string, second: string) => number {
  const tags = document['x-tagGroups']?.flatMap((group) => group.tags) ?? [];
  const places = new Map(tags.map((tag, place) => [tag, place]));
  return (first, second) => (places.get(first) ?? tags.length) - (places.get(second) ?? tags.length);
}
