import type { Tag } from './document.ts';
import type { Component, Plugin, System } from './swagger.ts';

/** The field for a search, below the chapters, which are folded away. */
const withGuide =
  (chapters: readonly Tag[]) =>
  (original: Component, { React, getComponent }: System): Component =>
  (props) => {
    const { createElement, Fragment } = React;
    const sections = chapters.flatMap(({ name, description }) => [
      createElement('h2', null, name),
      createElement(getComponent('Markdown', true), { source: description }),
    ]);
    const summary = createElement('summary', null, 'Guide: what all resources have in common');
    const guide = createElement('details', { className: 'wrapper guide' }, summary, ...sections);
    return createElement(Fragment, null, sections.length > 0 && guide, createElement(original, props));
  };

/** Shows chapters about what operations have in common. */
export const guidePlugin = (chapters: readonly Tag[]): Plugin => ({
  wrapComponents: { FilterContainer: withGuide(chapters) },
});
