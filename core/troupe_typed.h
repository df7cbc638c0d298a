/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_typed.h - handles that know which messages their actor takes
 *
 * Overview. A list of messages becomes a type of handle, with one function to
 * send and one to read each message, and a tag for each. Sending a message
 * that is not on the list, or a payload of another type, or to an actor of
 * another list, does not compile.
 *
 * Typical use.
 *	1. at file scope, in a header that both sides include, no semicolon:
 *		TROUPE_TYPED(counter, (add, uint64_t), (get))
 *	2. who makes the actor:
 *		struct counter_ref counter;
 *		troupe_spawn(system, &counter_class, NULL, &counter.strong);
 *	3. who uses it:
 *		counter_send_add(counter, 5);
 *		counter_request_get(self, counter, on_total, NULL);
 *	4. the actor, in its behaviour:
 *		if (counter_is_add(message, &amount)) ...
 *		if (counter_is_get(message)) ...
 *	5. counter_release(&counter);
 *
 * What it makes, for the name counter and each message (add, uint64_t):
 *	struct counter_ref, struct counter_weak
 *		a strong and a weak handle; zeroed they are null
 *	counter_tag_add
 *		the tag: 1, 2, ... in the order of the list
 *	counter_send_add(ref, value), counter_send_get(ref)
 *		as troupe_send()
 *	counter_request_add(self, ref, value, on_response, context)
 *		as troupe_request()
 *	counter_is_add(message, &value), counter_is_get(message)
 *		true if it is this message, with its value copied out
 *
 * Conversions. Each gives a new handle, to be released, and leaves its source
 * alone; null gives null. Those from weak to strong *can fail*: when the
 * object is gone they give the null handle.
 *
 *	from \ to  troupe_strong    troupe_weak   counter_ref   counter_weak
 *	strong     strong_clone     weak_from     from_strong   weak_from_strong
 *	weak       weak_lock !      weak_clone    from_weak !   weak_from_weak
 *	ref        to_strong        to_weak       clone         weak_from
 *	weak       weak_to_strong ! weak_to_weak  weak_lock !   weak_clone
 *
 * The four at the upper left are troupe_NAME(), all others counter_NAME(); !
 * can fail. From untyped to typed is your promise that the actor takes these
 * messages: nobody can check it. To lend a typed handle as an untyped one
 * needs no conversion: ref.strong, weak.weak.
 *
 * Types. A payload is any type that can be assigned: no arrays, but a struct
 * of one. C converts numbers to each other, so counter_send_add(ref, 5) is
 * fine, and so is 5.5, as 5; TROUPE_SEND_EXACT() wants the very type. Pointers
 * and integers are kept apart, and unknown messages refused, also by compilers
 * that by default only warn: this header makes errors of -Wint-conversion,
 * -Wincompatible-pointer-types and -Wimplicit-function-declaration.
 */
#ifndef TROUPE_TYPED_H
#define TROUPE_TYPED_H

#include <string.h>

#include "troupe.h"
#include "troupe_each.h"

#ifndef __cplusplus
#pragma GCC diagnostic error "-Wint-conversion"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#endif

/** Up to 16 messages, each (name) or (name, type). */
#define TROUPE_TYPED(name, ...) TROUPE_TYPED_AT(name, 0, __VA_ARGS__)

/** As above, with tags from @base + 1 on: for an actor that takes the messages
 * of more than one list. @base: a constant from 0 to 2^31 - 17. */
#define TROUPE_TYPED_AT(name, base, ...)                                      \
	enum name##_tags{name##_tags_start = (base),                          \
			 TROUPE__EACH(TROUPE__TYPED_TAG, name, __VA_ARGS__)}; \
	TROUPE__TYPED_HANDLES(name)                                           \
	TROUPE__TYPED_CONVERSIONS(name)                                       \
	TROUPE__EACH(TROUPE__TYPED_MESSAGE, name, __VA_ARGS__)

#ifndef __cplusplus
/** counter_send_add(to, value), but @value must be of exactly the type. */
#define TROUPE_SEND_EXACT(name, message, to, value)                         \
	name##_send_##message((to), _Generic((value), name##_type_##message \
					     : (value)))
#endif

/* ======================================================================== */
/* How it is done                                                           */
/* ======================================================================== */

#define TROUPE__TYPED_INLINE static inline __attribute__((unused))

#define TROUPE__TYPED_TAG(name, message) \
	TROUPE__TYPED_TAG_(name, TROUPE__1 message)
#define TROUPE__TYPED_TAG_(name, message)  TROUPE__TYPED_TAG__(name, message)
#define TROUPE__TYPED_TAG__(name, message) name##_tag_##message,

#define TROUPE__TYPED_HANDLES(name)                                            \
	struct name##_ref {                                                    \
		struct troupe_strong strong;                                   \
	};                                                                     \
	struct name##_weak {                                                   \
		struct troupe_weak weak;                                       \
	};                                                                     \
	TROUPE__TYPED_INLINE bool name##_is_null(struct name##_ref from)       \
	{                                                                      \
		return troupe_strong_is_null(from.strong);                     \
	}                                                                      \
	TROUPE__TYPED_INLINE bool name##_weak_is_null(struct name##_weak from) \
	{                                                                      \
		return troupe_weak_is_null(from.weak);                         \
	}                                                                      \
	TROUPE__TYPED_INLINE void name##_release(struct name##_ref *from)      \
	{                                                                      \
		troupe_strong_release(&from->strong);                          \
	}                                                                      \
	TROUPE__TYPED_INLINE void name##_weak_release(                         \
		struct name##_weak *from)                                      \
	{                                                                      \
		troupe_weak_release(&from->weak);                              \
	}

/* A function NAME(from) from one kind of handle to another. */
#define TROUPE__TYPED_CONVERT(function, to_type, to_member, from_type, value) \
	TROUPE__TYPED_INLINE to_type function(from_type from)                 \
	{                                                                     \
		to_type to;                                                   \
                                                                              \
		to to_member = value;                                         \
		return to;                                                    \
	}

#define TROUPE__TYPED_CONVERSIONS(name)                                        \
	TROUPE__TYPED_CONVERT(name##_move, struct name##_ref, .strong,         \
			      struct name##_ref *,                             \
			      troupe_strong_move(&from->strong))               \
	TROUPE__TYPED_CONVERT(name##_weak_move, struct name##_weak, .weak,     \
			      struct name##_weak *,                            \
			      troupe_weak_move(&from->weak))                   \
	TROUPE__TYPED_CONVERT(name##_from_strong, struct name##_ref, .strong,  \
			      struct troupe_strong, troupe_strong_clone(from)) \
	TROUPE__TYPED_CONVERT(name##_weak_from_strong, struct name##_weak,     \
			      .weak, struct troupe_strong,                     \
			      troupe_weak_from(from))                          \
	TROUPE__TYPED_CONVERT(name##_from_weak, struct name##_ref, .strong,    \
			      struct troupe_weak, troupe_weak_lock(from))      \
	TROUPE__TYPED_CONVERT(name##_weak_from_weak, struct name##_weak,       \
			      .weak, struct troupe_weak,                       \
			      troupe_weak_clone(from))                         \
	TROUPE__TYPED_CONVERT(name##_to_strong, struct troupe_strong, ,        \
			      struct name##_ref,                               \
			      troupe_strong_clone(from.strong))                \
	TROUPE__TYPED_CONVERT(name##_to_weak, struct troupe_weak, ,            \
			      struct name##_ref,                               \
			      troupe_weak_from(from.strong))                   \
	TROUPE__TYPED_CONVERT(name##_clone, struct name##_ref, .strong,        \
			      struct name##_ref,                               \
			      troupe_strong_clone(from.strong))                \
	TROUPE__TYPED_CONVERT(name##_weak_from, struct name##_weak, .weak,     \
			      struct name##_ref,                               \
			      troupe_weak_from(from.strong))                   \
	TROUPE__TYPED_CONVERT(name##_weak_to_strong, struct troupe_strong, ,   \
			      struct name##_weak, troupe_weak_lock(from.weak)) \
	TROUPE__TYPED_CONVERT(name##_weak_to_weak, struct troupe_weak, ,       \
			      struct name##_weak,                              \
			      troupe_weak_clone(from.weak))                    \
	TROUPE__TYPED_CONVERT(name##_weak_lock, struct name##_ref, .strong,    \
			      struct name##_weak, troupe_weak_lock(from.weak)) \
	TROUPE__TYPED_CONVERT(name##_weak_clone, struct name##_weak, .weak,    \
			      struct name##_weak,                              \
			      troupe_weak_clone(from.weak))

/* (add, uint64_t) -> WITH(counter, add, uint64_t); (get) -> WITHOUT(...). */
#define TROUPE__TYPED_MESSAGE(name, message)                     \
	TROUPE__TYPED_MESSAGE_(name, TROUPE__TYPED_KIND message, \
			       TROUPE__UNWRAP message)
#define TROUPE__TYPED_MESSAGE_(name, kind, ...) kind(name, __VA_ARGS__)
#define TROUPE__TYPED_KIND(...) \
	TROUPE__3(__VA_ARGS__, TROUPE__TYPED_WITH, TROUPE__TYPED_WITHOUT, )

/* NOLINTBEGIN(bugprone-macro-parentheses): a type in a declaration */
#define TROUPE__TYPED_WITH(name, message, type)                              \
	typedef type name##_type_##message;                                  \
	TROUPE__TYPED_INLINE int name##_send_##message(struct name##_ref to, \
						       type value)           \
	{                                                                    \
		return troupe_send(to.strong, name##_tag_##message, &value,  \
				   sizeof(value));                           \
	}                                                                    \
	TROUPE__TYPED_INLINE int name##_request_##message(                   \
		struct troupe_actor *self, struct name##_ref to, type value, \
		troupe_response_fn on_response, void *context)               \
	{                                                                    \
		return troupe_request(self, to.strong, name##_tag_##message, \
				      &value, sizeof(value), on_response,    \
				      context);                              \
	}                                                                    \
	TROUPE__TYPED_INLINE bool name##_is_##message(                       \
		const struct troupe_message *from, type *ret_value)          \
	{                                                                    \
		if (from->tag != name##_tag_##message ||                     \
		    from->size != sizeof(*ret_value))                        \
			return false;                                        \
		memcpy(ret_value, troupe_payload(from), sizeof(*ret_value)); \
		return true;                                                 \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

#define TROUPE__TYPED_WITHOUT(name, message)                                  \
	TROUPE__TYPED_INLINE int name##_send_##message(struct name##_ref to)  \
	{                                                                     \
		return troupe_send(to.strong, name##_tag_##message, NULL, 0); \
	}                                                                     \
	TROUPE__TYPED_INLINE int name##_request_##message(                    \
		struct troupe_actor *self, struct name##_ref to,              \
		troupe_response_fn on_response, void *context)                \
	{                                                                     \
		return troupe_request(self, to.strong, name##_tag_##message,  \
				      NULL, 0, on_response, context);         \
	}                                                                     \
	TROUPE__TYPED_INLINE bool name##_is_##message(                        \
		const struct troupe_message *from)                            \
	{                                                                     \
		return from->tag == name##_tag_##message && from->size == 0;  \
	}

#endif
