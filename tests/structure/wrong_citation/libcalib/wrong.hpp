#pragma once
// A section that is there (docs/theory/friction.md 1), one that is not (docs/theory/friction.md
// 7), a page that is not (docs/theory/rubber.md), and a book that nobody has (identification.md
// 9.5).
